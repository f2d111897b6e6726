import type { Clock } from './clock.ts'

/** So many within a window; 0 is no limit. */
export interface Rate {
  readonly most: number
  readonly window_ms: number
}

/** What has been counted under a name since its window began. */
export interface RateWindow {
  count: number
  readonly ends_ms: number
}

/** Windows by name. What `busy` says of a window keeps it beyond its end, and from being dropped for want of room. */
export interface WindowsByName<Window extends RateWindow> {
  /** The window of a name that is open now; a fresh one where there is none. */
  open(name: string, window_ms: number): Window
}

const mostNames = 20_000

/** Keeps windows in memory, at most 20,000: those that are over go first, then the oldest that nobody is in. */
export function windowsByName<Window extends RateWindow>(
  clock: Clock,
  begin: (ends_ms: number) => Window,
  busy: (window: Window) => boolean = () => false,
): WindowsByName<Window> {
  const windows = new Map<string, Window>()
  const makeRoom = (now_ms: number): void => {
    if (windows.size < mostNames) return
    for (const [name, window] of windows) {
      if (!busy(window) && window.ends_ms <= now_ms) windows.delete(name)
    }
    for (const [name, window] of windows) {
      if (windows.size < mostNames) return
      if (!busy(window)) windows.delete(name)
    }
  }
  return {
    open: (name, window_ms) => {
      const now = clock.now().getTime()
      const known = windows.get(name)
      if (known && (busy(known) || known.ends_ms > now)) return known
      windows.delete(name)
      makeRoom(now)
      const fresh = begin(now + window_ms)
      windows.set(name, fresh)
      return fresh
    },
  }
}

/** Seconds until a window ends, at least one. */
export const secondsLeft = (window: RateWindow, clock: Clock): number =>
  Math.max(1, Math.ceil((window.ends_ms - clock.now().getTime()) / 1000))

/** Counts what happens under names, per process. */
export interface Rates {
  /** Counts one more; answers the seconds to wait where the rate is used up, and counts nothing then. */
  take(name: string, rate: Rate): number | null
  /** Takes back what was counted last under a name: it was no reason to count. */
  giveBack(name: string, rate: Rate): void
}

export function makeRates(clock: Clock): Rates {
  const windows = windowsByName<RateWindow>(clock, (ends_ms) => ({ count: 0, ends_ms }))
  return {
    take: (name, { most, window_ms }) => {
      if (most === 0) return null
      const window = windows.open(name, window_ms)
      if (window.count >= most) return secondsLeft(window, clock)
      window.count += 1
      return null
    },
    giveBack: (name, { most, window_ms }) => {
      if (most === 0) return
      const window = windows.open(name, window_ms)
      window.count = Math.max(0, window.count - 1)
    },
  }
}
