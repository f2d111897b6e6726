/** The right to send to the one connection. */
export interface Turn {
  /** What was sent stands in front of whatever is sent next, until `answered`; `alone` lets nothing be sent behind it. */
  sent(alone?: boolean): { answered(): void }
  /** Ends the turn; calling it twice does nothing. */
  release(): void
}

/** Gives the one connection to one holder after the other: organizations by turns, each in the order of asking. */
export interface Turns {
  /** Resolves when it is the turn of the caller's organization; null stands for all who work across organizations. */
  take(organization: string | null): Promise<Turn>
}

/** One that runs and one that is ready, so that the thread of the database never rests; more would be a queue without turns. */
const most_sent = 2

/**
 * Nobody waits for the queue of another organization: only for the holder of the turn, for what has been sent already, and
 * for one turn of each other organization.
 */
export function openTurns(): Turns {
  const waiting = new Map<string | null, ((turn: Turn) => void)[]>()
  let taken = false
  let sent = 0

  const newTurn = (): Turn => {
    taken = true
    let ended = false
    return {
      sent: (alone = false) => {
        const weight = alone ? most_sent : 1
        sent += weight
        let open = true
        return {
          answered: () => {
            if (!open) return
            open = false
            sent -= weight
            pass()
          },
        }
      },
      release: () => {
        if (ended) return
        ended = true
        taken = false
        pass()
      },
    }
  }

  /** The organization that had its turn last goes to the end. */
  const pass = (): void => {
    if (taken || sent >= most_sent) return
    const [first] = waiting
    if (!first) return
    const [organization, own] = first
    const next = own.shift()!
    waiting.delete(organization)
    if (own.length > 0) waiting.set(organization, own)
    next(newTurn())
  }

  return {
    take: async (organization) => {
      if (!taken && sent < most_sent && waiting.size === 0) return newTurn()
      return new Promise((resolve) => {
        const own = waiting.get(organization)
        if (own) own.push(resolve)
        else waiting.set(organization, [resolve])
      })
    },
  }
}
