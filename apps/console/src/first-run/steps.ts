/** The first steps of a person, in their order. */
export const steps = ['find', 'buy', 'look', 'share', 'call'] as const
export type Step = (typeof steps)[number]

/** The figures that decide which steps are done; null while one is not loaded, or if the person may not read it. */
export interface StepFacts {
  /** The steps that this browser has seen the person do. */
  readonly seen: readonly Step[]
  readonly order_count: number | null
  readonly link_count: number | null
  readonly key_count: number | null
}

/** The name of the key that a local server makes for the tools on its machine. */
const terminalKeyName = 'Terminal'

/** How many API keys persons have made. */
export const countOwnKeys = (keys: readonly { readonly name: string }[]): number =>
  keys.filter(({ name }) => name !== terminalKeyName).length

/** The steps that are done. An order implies that a scene was found. */
export function findDoneSteps({ seen, order_count, link_count, key_count }: StepFacts): ReadonlySet<Step> {
  const isBought = (order_count ?? 0) > 0
  const done: Readonly<Record<Step, boolean>> = {
    find: isBought || seen.includes('find'),
    buy: isBought,
    look: seen.includes('look'),
    share: (link_count ?? 0) > 0,
    call: (key_count ?? 0) > 0,
  }
  return new Set(steps.filter((step) => done[step]))
}

/** The step that a URL of the console shows to be done: a scene or a cart was opened, or an item. */
export function stepOfUrl(pathname: string, search: Readonly<Record<string, unknown>>): Step | null {
  if (pathname === '/view' && search['items']) return 'look'
  if (pathname === '/cart' || (pathname === '/explore' && search['scene'])) return 'find'
  return null
}
