import { steps, type Step } from './steps.ts'

/** `auto` shows the card until all steps are done; `shown` and `hidden` are chosen by the person. */
const cardStates = ['auto', 'hidden', 'shown'] as const

/** The state of the first steps of a person that this browser stores. */
export interface KeptSteps {
  readonly seen: readonly Step[]
  readonly card: (typeof cardStates)[number]
  /** The order of the scenes of the first look, while it is delivered. */
  readonly order_id: string | null
}

/** The stored text; what does not fit is left at its default. */
export function parseKept(text: string | null): KeptSteps {
  const { seen, card, order_id } = parseObject(text)
  return {
    seen: Array.isArray(seen) ? steps.filter((step) => seen.includes(step)) : [],
    card: cardStates.find((state) => state === card) ?? 'auto',
    order_id: typeof order_id === 'string' ? order_id : null,
  }
}

function parseObject(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text ?? '{}') ?? {}) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}
