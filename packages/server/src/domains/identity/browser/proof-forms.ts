import { isUuid } from '../../../platform/ids.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { toUserPrincipal } from '../principals.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import type { SignInProof } from './browser-sessions.ts'
import { isValidFormToken, type SignInFormStep } from './form-tokens.ts'
import type { AuthorizationRequestContext, ProvenUser } from './submission.ts'

/** A user who has proven something on the way to signing in. */
export interface CompleteProof {
  readonly user: UserAuthRow
  readonly proof: SignInProof
}

/** A user who has just entered the password. */
export const provePassword = ({ clock }: Pick<IdentityDependencies, 'clock'>, user: UserAuthRow): CompleteProof => ({
  user,
  proof: { amr: ['pwd'], authenticated_at: clock.now() },
})

export const completeProof = (
  dependencies: Pick<IdentityDependencies, 'clock'>,
  { user, proof }: ProvenUser,
): CompleteProof => (proof ? { user, proof } : provePassword(dependencies, user))

/** A proof with more methods. */
export const withMethods = ({ user, proof }: CompleteProof, methods: readonly string[]): CompleteProof => ({
  user,
  proof: { ...proof, amr: [...new Set([...proof.amr, ...methods])] },
})

/** The hidden fields that carry a proof from one page to the next. */
export const proofFields = ({ user, proof }: CompleteProof): Readonly<Record<string, string>> => ({
  user: user.id,
  amr: proof.amr.join(' '),
  since: proof.authenticated_at.toISOString(),
})

/** The values that bind a form to a proof. */
export const proofParts = (
  { authorization, session_id }: Pick<AuthorizationRequestContext, 'authorization' | 'session_id'>,
  proven: CompleteProof,
): readonly string[] => [authorization.query, session_id ?? '', ...Object.values(proofFields(proven))]

/** The proof of a posted form; null if the form was not signed for it, or its user can no longer sign in. */
export async function readProof(
  context: AuthorizationRequestContext,
  step: SignInFormStep,
  moreParts: (user: UserAuthRow) => readonly string[] = () => [],
): Promise<CompleteProof | null> {
  const { dependencies, request } = context
  const [id, amr, since] = ['user', 'amr', 'since'].map((name) => request.form.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  const user = isUuid(id) ? await findUserAuth(dependencies.unscoped, id) : null
  const authenticated_at = new Date(since)
  if (!user || !toUserPrincipal(user) || Number.isNaN(authenticated_at.getTime())) return null
  const proven = { user, proof: { amr: amr.split(' '), authenticated_at } }
  return isValidFormToken(dependencies, { step }, request, [...proofParts(context, proven), ...moreParts(user)])
    ? proven
    : null
}

/** The credential of a passkey in a posted form; null for a form without one. */
export function readPostedCredential(form: URLSearchParams): Readonly<Record<string, unknown>> | null {
  const text = form.get('credential')
  if (!text) return null
  try {
    const credential: unknown = JSON.parse(text)
    return typeof credential === 'object' && credential !== null ? (credential as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
