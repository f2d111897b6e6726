import { Ban, CircleCheck, Hourglass, type LucideIcon } from 'lucide-react'
import { credentialsTexts } from '../texts/credentials.ts'
import { Badge, type Tone } from '../ui/badge.tsx'

type CredentialState = 'revoked' | 'expired' | 'works'

interface Credential {
  readonly revoked_at: string | null
  readonly expires_at: string | null
}

function stateOf({ revoked_at, expires_at }: Credential): CredentialState {
  if (revoked_at) return 'revoked'
  return expires_at && Date.parse(expires_at) < Date.now() ? 'expired' : 'works'
}

/** The state of a key or token in words. */
export const describeState = (credential: Credential): string => credentialsTexts.states[stateOf(credential)]

const looks: Readonly<Record<CredentialState, readonly [LucideIcon, Tone]>> = {
  works: [CircleCheck, 'good'],
  expired: [Hourglass, 'neutral'],
  revoked: [Ban, 'neutral'],
}

/** Whether a key or token works. */
export function CredentialBadge({ credential }: { credential: Credential }) {
  const state = stateOf(credential)
  const [icon, tone] = looks[state]
  return (
    <Badge icon={icon} tone={tone}>
      {credentialsTexts.states[state]}
    </Badge>
  )
}

/** Those that work first. */
export const byState = <One extends Credential>(credentials: readonly One[]): readonly One[] =>
  credentials.toSorted((left, right) => Number(left.revoked_at !== null) - Number(right.revoked_at !== null))
