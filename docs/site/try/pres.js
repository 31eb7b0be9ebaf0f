// The numbers and moves behind the page "Try it". Nothing in this file needs a document.
//
// A ranking is given by the ranks of its relevant documents (1-based). `n` is the number of
// relevant documents of the topic. `nMax` is the number of results the user checks.
// The file defines one global, `pres`, because pages opened from disk cannot load modules.
var pres = (function () {
  "use strict";

  const LIMITS = { n: 50, nMax: 1000 };
  const NOT_FOUND = Infinity; // The rank of a document that the ranking does not contain.

  // What somebody typed, or a link contains, cannot be used. The message says why.
  class InputError extends Error {}

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const sorted = (ranks) => [...ranks].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upTo = (count) => Array.from({ length: count }, (_, i) => i + 1);
  const foundRanks = (ranks, nMax) => sorted(ranks).filter((rank) => rank <= nMax);

  // Return a rank for each of the n documents. Missed ones get the worst possible ranks.
  function countedRanks(ranks, n, nMax) {
    const found = foundRanks(ranks, nMax);
    const missed = upTo(n).slice(found.length);
    return [...found, ...missed.map((position) => nMax + position)];
  }

  // The area on each side of the ranking's curve, in documents × ranks.
  function areas(counted, nMax) {
    return {
      a1: sum(counted.map((rank, i) => rank - (i + 1))),
      a2: sum(counted.map((rank, i) => nMax + (i + 1) - rank)),
    };
  }

  function averagePrecision(found, n) {
    return sum(found.map((rank, i) => (i + 1) / rank)) / n;
  }

  function discountedGain(ranks) {
    return sum(ranks.map((rank) => 1 / Math.log2(rank + 1)));
  }

  // Compute all numbers that a widget shows. `ranks` may include ranks after nMax.
  function score(ranks, n, nMax) {
    const found = foundRanks(ranks, nMax);
    const counted = countedRanks(ranks, n, nMax);
    const { a1, a2 } = areas(counted, nMax);
    const possible = Math.min(n, nMax); // A perfect ranking finds this many.
    return {
      found: found.length,
      a1,
      a2,
      pres: a2 / (a1 + a2),
      presEst: a2 / (possible * nMax),
      ap: averagePrecision(found, n),
      recall: found.length / n,
      rPrecision: foundRanks(ranks, n).length / n,
      ndcg: discountedGain(found) / discountedGain(upTo(possible)),
    };
  }

  // The ranks at which each curve of the picture rises by one.
  function curves(ranks, n, nMax) {
    const best = upTo(n);
    const worst = best.map((position) => nMax + position);
    return { best, ranking: countedRanks(ranks, n, nMax), worst };
  }

  // Return the free rank that is nearest to a target, or NOT_FOUND. A step of 1 or -1 looks
  // only in that direction, as for an arrow key. A step of 0 looks in both.
  function freeRank(others, target, nMax, step) {
    if (target > nMax) return NOT_FOUND;
    const isFree = (rank) => rank >= 1 && rank <= nMax && !others.includes(rank);
    for (let distance = 0; distance <= nMax; distance++) {
      const candidates = step ? [target + step * distance] : [target - distance, target + distance];
      const free = candidates.find(isFree);
      if (free !== undefined) return free;
    }
    // Every rank before the target is taken: use the first free one. Or every rank after it is.
    return step < 0 ? freeRank(others, 1, nMax, 1) : NOT_FOUND;
  }

  // Move the document at an index to a rank, or as near as is free. Return the new ranks, in
  // ascending order, and the document's new index.
  function move(ranks, index, target, nMax, step = 0) {
    const others = ranks.filter((_, i) => i !== index);
    const rank = freeRank(others, Math.max(1, target), nMax, step);
    if (rank === NOT_FOUND && ranks[index] > nMax) return { ranks, index }; // It was missed before.
    const moved = sorted([...others, rank]);
    return { ranks: moved, index: moved.indexOf(rank) };
  }

  // Return exactly n ranks: lowering n drops missed documents first, then the last ones found.
  function resize(ranks, n) {
    return upTo(n).map((position) => sorted(ranks)[position - 1] ?? NOT_FOUND);
  }

  function readWhole(name, text, max) {
    const value = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN;
    if (value >= 1 && value <= max) return value;
    throw new InputError(`${name} must be a whole number from 1 to ${max}, not “${text}”.`);
  }

  function readRanks(text, n) {
    const parts = text.split(/[\s,]+/).filter(Boolean);
    const ranks = parts.map((part) => readWhole("Each rank", part, LIMITS.nMax));
    const repeated = ranks.find((rank, i) => ranks.indexOf(rank) !== i);
    if (repeated) throw new InputError(`Rank ${repeated} occurs more than once.`);
    if (ranks.length > n) throw new InputError(`There are ${ranks.length} ranks, but n is ${n}.`);
    return resize(ranks, n);
  }

  // Read a state from texts. Throw an InputError if one of them cannot be used.
  function readState({ n, nMax, ranks }) {
    const state = { n: readWhole("n", n, LIMITS.n), nMax: readWhole("Nmax", nMax, LIMITS.nMax) };
    return { ...state, ranks: readRanks(ranks, state.n) };
  }

  const writeRanks = (ranks, separator) => ranks.filter(Number.isFinite).join(separator);

  // A link's hash starts with the id of its widget, because a page may have several.
  function writeHash(id, { n, nMax, ranks }) {
    return `#${id}&n=${n}&nmax=${nMax}&ranks=${writeRanks(ranks, ",")}`;
  }

  // Return the state in a hash, or null if the hash is not for this widget.
  function readHash(id, hash) {
    const values = new URLSearchParams(hash.slice(1));
    const [first] = values.keys();
    if (first !== id || [...values.keys()].length === 1) return null;
    for (const key of ["n", "nmax", "ranks"])
      if (!values.has(key)) throw new InputError(`The value of “${key}” is missing.`);
    const [n, nMax, ranks] = ["n", "nmax", "ranks"].map((key) => values.get(key));
    return readState({ n, nMax, ranks });
  }

  return {
    LIMITS, NOT_FOUND, InputError,
    score, curves, move, resize, readState, readHash, writeHash, writeRanks,
  };
})();
