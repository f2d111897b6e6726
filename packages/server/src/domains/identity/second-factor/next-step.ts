import { limits } from '@swath/contract/limits.ts'
import type { BrowserSession } from '../browser/browser-sessions.ts'
import type { CompleteProof } from '../browser/proof-forms.ts'
import type { AuthorizationRequestContext } from '../browser/submission.ts'
import { findUserIn } from '../memberships/choose-organization.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import { hasSecondFactor, hasTwoFactors, isRuleSatisfied, methodsOf } from './methods.ts'
import { showSecondFactorPage } from './second-factor-page.ts'
import { showSecondFactorSetupPage } from './setup-page.ts'

/** True if the organization that the request is for wants a second factor, and none was proven. */
async function isBarred(
  { dependencies, authorization }: AuthorizationRequestContext,
  user: string,
  amr: readonly string[] | null,
): Promise<boolean> {
  const member = await findUserIn(dependencies.unscoped, authorization.organization_id, user, null)
  return member !== null && !isRuleSatisfied(member.second_factor_rule, amr)
}

/** The page that a user who has just proven something sees before signing in; null if nothing is missing. */
export async function findNextStep(
  context: AuthorizationRequestContext,
  proven: CompleteProof,
): Promise<IdentityEndpointResponse | null> {
  const { user, proof } = proven
  if (hasTwoFactors(proof.amr)) return null
  if (hasSecondFactor(user)) return showSecondFactorPage(context, proven)
  return (await isBarred(context, user.id, proof.amr)) ? showSecondFactorSetupPage(context, proven) : null
}

/**
 * What the user of a browser that is signed in has to do for the organization of a request: nothing, enter the second factor or set
 * one up, or enter the password first, because a second factor is not set up with a sign-in of long ago.
 */
export async function findStepUp(
  context: AuthorizationRequestContext,
  session: BrowserSession,
): Promise<'none' | 'password' | { readonly response: IdentityEndpointResponse }> {
  const { user, authenticated_at, provider_organization_id } = session
  if (provider_organization_id !== null) return 'none'
  if (!(await isBarred(context, user.id, session.amr))) return 'none'
  const proven = { user, proof: { amr: methodsOf(session.amr), authenticated_at } }
  if (hasSecondFactor(user)) return { response: await showSecondFactorPage(context, proven) }
  const age_ms = context.dependencies.clock.now().getTime() - authenticated_at.getTime()
  if (age_ms > limits.fresh_sign_in_seconds * 1000) return 'password'
  return { response: await showSecondFactorSetupPage(context, proven) }
}
