import { usersEmailChangeOperation } from '@swath/contract/operations/users.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import { requestEmailChange } from '../../identity/account/change-email.ts'
import { requireConfirmation, toSecondFactorDependencies } from '../../identity/account/confirm.ts'
import { toEmailKey } from '../users.ts'

const dailyChanges = { name: 'email-changes', max: 10, window_ms: day_ms }

export const handler = defineHandler(usersEmailChangeOperation, async (call, { email, ...confirmation }) => {
  const user = await requireConfirmation(call, confirmation)
  if (toEmailKey(email) === toEmailKey(user.email) && email.trim() === user.email)
    throw new Problem('invalid-state', 'That is the address of your account.')
  const unit = await call.rateLimiter.take(dailyChanges, user.id)
  if (unit.refused)
    throw new Problem('rate-limited', 'You have asked for other addresses too often.', { retry_after_s: unit.reset_s })
  const change = await requestEmailChange(toSecondFactorDependencies(call), user, email)
  return { email: change.email, expires_at: change.expires_at.toISOString() }
})
