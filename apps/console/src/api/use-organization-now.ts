import { useOperation } from './use-operation.ts'
import { usePrincipal } from './use-principal.ts'

/** The present of the organization in milliseconds: a sandbox has a clock of its own. Null until it is loaded. */
export function useOrganizationNow(): number | null {
  const { data: me } = usePrincipal()
  const isSandbox = me?.organization?.sandbox === true
  const clock = useOperation('sandbox.clock.get', {}, { enabled: isSandbox })
  if (!me) return null
  if (!isSandbox) return Date.now()
  return clock.data ? Date.parse(clock.data.now) : null
}
