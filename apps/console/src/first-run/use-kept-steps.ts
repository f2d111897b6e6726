import { useSyncExternalStore } from 'react'
import { readStored, watchStored, writeStored } from '../api/storage.ts'
import { usePrincipal } from '../api/use-principal.ts'
import { parseKept, type KeptSteps } from './kept-steps.ts'

const changed = 'swath:first-steps'
const keyOf = (user: string): string => `swath.first-steps.${user}`

const subscribe = watchStored(changed)

export interface KeptStepsHandle {
  /** Null until the person is loaded. */
  readonly kept: KeptSteps | null
  readonly keep: (patch: Partial<KeptSteps>) => void
}

/** The state of the first steps that this browser stores for the signed-in person, in all its windows. */
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
