/** Sound made here, from nothing but sines: a plucked tune for each tier, a gong for 状元, drums when the lights go out. */

// the five notes that Chinese tunes are made of, from C5
const NOTE = [523.25, 587.33, 659.25, 783.99, 880, 1046.5, 1174.66, 1318.51];
const TUNE = {
  none: [[0], 0.3],
  yixiu: [[0, 2], 0.14],
  erju: [[0, 2, 3], 0.13],
  sanhong: [[0, 2, 3, 4, 5], 0.12],
  sijin: [[4, 3, 4, 5], 0.13],
  duitang: [[0, 1, 2, 3, 4, 5], 0.11],
};
// partials of a struck gong: ratio, strength, seconds it rings
const GONG = [[1, 1, 5], [1.483, 0.6, 4], [1.932, 0.45, 3.2], [2.546, 0.35, 2.4], [2.63, 0.3, 2.2], [3.897, 0.18, 1.4], [5.2, 0.1, 0.8]];
const GONGS = ["sihong", "wuzi", "wuhong", "chajinhua", "biandijin", "liubohong"];

/**
 * @param {import("./words.js").Translate} t
 * @param {Window & any} page
 */
export function createSound(t, page) {
  const Context = page.AudioContext || page.webkitAudioContext;
  /** @type {AudioContext | null} */
  let context = null;
  /** @type {GainNode} */
  let master;
  let set = { volume: 70, mute: false, voice: true };

  function open() {
    if (!Context) return null;
    if (!context) {
      context = /** @type {AudioContext} */ (new Context());
      master = context.createGain();
      master.connect(context.destination);
      level();
    }
    return context;
  }

  function level() {
    if (context) master.gain.value = set.mute ? 0 : Math.pow(set.volume / 100, 2);
  }

  /** Whether the browser waits for a click before it lets anything sound. @returns {boolean} */
  function waiting() {
    return Boolean(open() && context && context.state === "suspended" && !set.mute && set.volume > 0);
  }

  /** @returns {Promise<void>} */
  function wake() {
    return open() && context ? context.resume() : Promise.resolve();
  }

  /**
   * One tone that dies away.
   * @param {string} type
   * @param {number} pitch
   * @param {number} to the pitch it glides to
   * @param {number} at seconds from now
   * @param {number} long
   * @param {number} loud
   */
  function tone(type, pitch, to, at, long, loud) {
    if (!context) return;
    const begin = context.currentTime + at;
    const source = context.createOscillator();
    const envelope = context.createGain();
    source.type = /** @type {OscillatorType} */ (type);
    source.frequency.setValueAtTime(pitch, begin);
    if (to !== pitch) source.frequency.exponentialRampToValueAtTime(to, begin + long);
    envelope.gain.setValueAtTime(0.0001, begin);
    envelope.gain.exponentialRampToValueAtTime(loud, begin + 0.008);
    envelope.gain.exponentialRampToValueAtTime(0.0001, begin + long);
    source.connect(envelope);
    envelope.connect(master);
    source.start(begin);
    source.stop(begin + long + 0.05);
    // let go of what has sounded: an evening has hundreds of throws
    source.onended = () => {
      source.disconnect();
      envelope.disconnect();
    };
  }

  /** @param {number} pitch @param {number} at @param {number} loud */
  function pluck(pitch, at, loud) {
    tone("triangle", pitch, pitch, at, 0.9, loud);
    tone("sine", pitch * 2.01, pitch * 2.01, at, 0.35, loud * 0.35);
  }

  /** @param {number} at */
  function gong(at) {
    GONG.forEach((part) => tone("sine", 98 * part[0] * 1.012, 98 * part[0], at, part[2], 0.3 * part[1]));
  }

  /** @param {number} at @param {number} loud */
  function drum(at, loud) {
    tone("sine", 120, 42, at, 0.5, loud);
  }

  /** @param {any} thrown */
  function tune(thrown) {
    if (thrown.jump) {
      tone("sine", 880, 160, 0, 0.5, 0.25);
      [0.55, 0.72, 0.84, 0.92].forEach((at) => tone("square", 190, 170, at, 0.05, 0.08));
      return;
    }
    if (thrown.kind === "liubohei") {
      [0, 0.5, 1, 1.25, 1.5, 1.62, 1.74, 1.86].forEach((at) => drum(at, 0.7));
      return;
    }
    if (thrown.champion === "lugu") {
      [5, 4, 3, 2, 0].forEach((note, k) => pluck(NOTE[note] / 2, k * 0.24, 0.3));
      gong(1.3);
      return;
    }
    if (GONGS.indexOf(thrown.kind) >= 0 && ["behind", "lower"].indexOf(thrown.champion) < 0) {
      gong(0);
      [0, 2, 3, 4, 5, 7].forEach((note, k) => pluck(NOTE[note], 0.7 + k * 0.13, 0.3));
      return;
    }
    const pair = TUNE[thrown.kind] || TUNE.none;
    const notes = /** @type {number[]} */ (pair[0]);
    notes.forEach((note, k) => pluck(thrown.kind === "none" ? NOTE[note] / 2 : NOTE[note], k * /** @type {number} */ (pair[1]), thrown.kind === "none" ? 0.12 : 0.28));
  }

  /** A voice that lives in this machine and speaks the page's language; one elsewhere would hear the room. */
  function voice() {
    const speech = page.speechSynthesis;
    if (!speech) return null;
    const all = speech.getVoices().filter((one) => one.localService && one.lang.toLowerCase().indexOf(t.zh ? "zh" : "en") === 0);
    return all.filter((one) => one.lang.replace("_", "-") === t.language)[0] || all[0] || null;
  }

  /** @param {string} text */
  function say(text) {
    const one = set.voice && !set.mute ? voice() : null;
    if (!one) return;
    const words = new page.SpeechSynthesisUtterance(text);
    words.voice = one;
    words.lang = one.lang;
    words.volume = set.volume / 100;
    page.speechSynthesis.cancel();
    page.speechSynthesis.speak(words);
  }

  /**
   * A throw is shown: its tune, then its name.
   * @param {any} thrown
   * @param {string} text
   */
  function play(thrown, text) {
    if (open() && context && context.state === "running" && !set.mute) tune(thrown);
    say(text);
  }

  /** Somebody is asked. */
  function ask() {
    if (open() && context && context.state === "running" && !set.mute) [4, 2].forEach((note, k) => pluck(NOTE[note] / 2, k * 0.2, 0.2));
  }

  /** @param {any} screen as docs/state.md has it */
  function tuneTo(screen) {
    if (!screen) return;
    set = screen;
    level();
  }

  return { play: play, ask: ask, set: tuneTo, waiting: waiting, wake: wake };
}
