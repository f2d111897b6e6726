import { useMemo } from 'react'
import { useOperation } from '../../../api/use-operation.ts'
import { usePrincipal } from '../../../api/use-principal.ts'

/** The end of a retention is said this long before. */
const notice_days = 30
const scopes: readonly string[] = ['admin:*', 'admin:read']

/** The end of each item that is deleted soon; nothing for people who may not ask for it. */
export function useExpiringItems(): ReadonlyMap<string, string> {
  const isAllowed = usePrincipal().data?.scopes.some((scope) => scopes.includes(scope)) ?? false
  const { data } = useOperation('items.list_expiring', { days: notice_days }, { enabled: isAllowed })
  return useMemo(
    () => new Map((data?.items ?? []).flatMap(({ id, expires_at }) => (expires_at ? [[id, expires_at] as const] : []))),
    [data],
  )
}
