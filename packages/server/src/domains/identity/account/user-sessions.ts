import type { UserSession } from '@swath/contract/schemas/people/account.ts'
import type { Call } from '../../../engine/call.ts'
import { methodsOf } from '../second-factor/methods.ts'
import { max_session_idle_ms } from '../sessions.ts'
import { listCurrentSessions } from './confirm.ts'
import { listUserSessions, type UserSessionRow } from './store.user-sessions.ts'

function kindOf({ is_browser, grant_type, client_id }: UserSessionRow): UserSession['kind'] {
  if (is_browser) return 'browser'
  if (grant_type === 'device_code') return 'device'
  return client_id === null ? 'password' : 'application'
}

const toUserSession = (row: UserSessionRow, current: readonly string[]): UserSession => ({
  id: row.id,
  kind: kindOf(row),
  client_id: row.client_id,
  browser_session_id: row.browser_session_id,
  organization_id: row.organization_id,
  address: row.address,
  user_agent: row.user_agent,
  methods: [...methodsOf(row.amr)],
  current: current.includes(row.id),
  created_at: row.created_at.toISOString(),
  // Each use of a session moves its end.
  last_used_at: new Date(row.expires_at.getTime() - max_session_idle_ms).toISOString(),
  expires_at: row.expires_at.toISOString(),
})

/** The sessions of the caller that have not ended. */
export async function readOwnSessions(call: Pick<Call, 'principal' | 'unscoped' | 'clocks'>): Promise<UserSession[]> {
  const current = await listCurrentSessions(call)
  const rows = await listUserSessions(call.unscoped, call.principal.id, call.clocks.process.now())
  return rows.map((row) => toUserSession(row, current))
}
