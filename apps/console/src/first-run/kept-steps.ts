import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../api/storage.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { steps, type Step } from './steps.ts'

/** `auto` shows the card until all steps are done; `shown` and `hidden` are what the person asked for. */
const cardStates = ['auto', 'hidden', 'shown'] as const

/** What this browser keeps of a person. */
export interface KeptSteps {
  readonly seen: readonly Step[]
  readonly card: (typeof cardStates)[number]
  /** The order of the scenes of the first look, while it is delivered. */
  readonly order_id: string | null
}

const changed = 'swath:first-steps'
const keyOf = (user: string): string => `swath.first-steps.${user}`

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

function subscribe(onChange: () => void): () => void {
  addEventListener(changed, onChange)
  // Another window of this browser.
  addEventListener('storage', onChange)
  return () => {
    removeEventListener(changed, onChange)
    removeEventListener('storage', onChange)
  }
}

export interface KeptStepsHandle {
  /** Null until it is known who the person is. */
  readonly kept: KeptSteps | null
  readonly keep: (patch: Partial<KeptSteps>) => void
}

/** What this browser keeps of the signed-in person, in all its windows. */
export function useKeptSteps(): KeptStepsHandle {
  const user = usePrincipal().data?.user?.id
  const text = useSyncExternalStore(subscribe, () => (user ? readStored(keyOf(user)) : null))
  return {
    kept: user ? parseKept(text) : null,
    keep: (patch) => {
      if (!user) return
      writeStored(keyOf(user), JSON.stringify({ ...parseKept(readStored(keyOf(user))), ...patch }))
      dispatchEvent(new Event(changed))
    },
  }
}
