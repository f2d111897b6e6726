import type { DelegationStopReason } from '@swath/contract/delegations.ts'

const sentences: Readonly<Record<DelegationStopReason, string>> = {
  key_revoked: 'The API key that created it was revoked.',
  key_expired: 'The API key that created it has expired.',
  user_left: 'The user who created it is not in the organization any more.',
  user_disabled: 'The user who created it was disabled.',
  no_access: 'The user who created it has no access to its project any more.',
}

/** The reason why a delegation has stopped, as a sentence for users. */
export const describeDelegationStop = (reason: DelegationStopReason): string => sentences[reason]
