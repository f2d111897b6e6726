import { usersSessionsEndOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { listCurrentSessions, readAccountTime } from '../../identity/account/confirm.ts'
import { markUserSessionRevoked } from '../../identity/account/store.user-sessions.ts'
import { publishPrincipalChange } from '../../identity/principal-changes.ts'
import { markUserSessionsRevoked } from '../../identity/store.sessions.ts'

const reason = 'ended-by-user'

export const handler = defineHandler(usersSessionsEndOperation, async (call, { session_id }) => {
  const user = call.principal.id
  const at = readAccountTime(call)
  if (session_id === null) {
    const kept = await listCurrentSessions(call)
    return call.unscoped.transaction(async (tx) => {
      const ended_sessions = await markUserSessionsRevoked(tx, user, { kept, reason, now: at })
      await publishPrincipalChange(tx, `user:${user}`)
      return { ended_sessions }
    })
  }
  return call.unscoped.transaction(async (tx) => {
    if (!(await markUserSessionRevoked(tx, user, { session: session_id, reason, at })))
      throw new Problem('not-found', `You have no session with the id "${session_id}".`)
    await publishPrincipalChange(tx, `session:${session_id.toLowerCase()}`)
    return { ended_sessions: 1 }
  })
})
