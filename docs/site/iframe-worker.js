// Browsers start no worker from a file, and the search runs in a worker. In pages opened from disk,
// this file replaces Worker by a hidden frame that runs the same script.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.addEventListener("message", (event) => this.onmessage && this.onmessage(event));
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      const later = (target, data) =>
        setTimeout(() => target.dispatchEvent(new MessageEvent("message", { data })));
      inside.postMessage = (data) => later(this, data);
      // The languages of the search, which it waits for.
      inside.importScripts = async (...scripts) => {
        for (const script of scripts) await load(script);
      };
      const load = (script) =>
        new Promise((loaded, failed) => {
          const element = inside.document.createElement("script");
          element.src = script;
          element.onload = loaded;
          element.onerror = failed;
          inside.document.head.append(element);
        });
      const ready = load(address);
      ready.catch((error) => this.dispatchEvent(new ErrorEvent("error", { error })));
      this.postMessage = (data) => ready.then(() => later(inside, data), () => {});
      this.terminate = () => frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
