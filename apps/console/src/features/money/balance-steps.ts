/** The balance as steps: each entry keeps the balance before it up to its time. */
export interface BalanceSteps {
  readonly x: readonly number[]
  readonly credits: readonly number[]
}

interface Movement {
  readonly created_at: string
  readonly balance_after_credits: number
}

/** Steps of movements, which come newest first. */
export function balanceSteps(movements: readonly Movement[]): BalanceSteps {
  const points: [at: number, credits: number][] = []
  for (const { created_at, balance_after_credits } of movements.toReversed()) {
    const before = points.at(-1)
    const at = Date.parse(created_at)
    if (before) points.push([at, before[1]])
    points.push([at, balance_after_credits])
  }
  return { x: points.map(([at]) => at), credits: points.map(([, credits]) => credits) }
}
