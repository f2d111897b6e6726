/** Gives the one connection to one holder after the other, in the order of asking. */
export interface Turns {
  /** Resolves when it is the caller's turn; the result ends the turn (calling it twice does nothing). */
  take(): Promise<() => void>
}

export function openTurns(): Turns {
  const waiting: (() => void)[] = []
  let taken = false
  const pass = (): void => {
    const next = waiting.shift()
    if (next) next()
    else taken = false
  }
  const once = (): (() => void) => {
    let ended = false
    return () => {
      if (ended) return
      ended = true
      pass()
    }
  }
  return {
    take: async () => {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve))
      taken = true
      return once()
    },
  }
}
