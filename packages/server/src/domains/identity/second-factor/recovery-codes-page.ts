import { createPageResponse } from '../browser/pages.ts'
import type { AuthorizationRequestContext } from '../browser/submission.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { verbatim } from '../page-texts/page-text.ts'

/** Parameters that would ask the user, who has just signed in, for the password again. */
const parametersOfFreshness = ['prompt', 'max_age']

/** Shows the recovery codes of a user who has just signed in, once; its link goes on to the client. */
export function showRecoveryCodesPage(
  { request, authorization }: Pick<AuthorizationRequestContext, 'request' | 'authorization'>,
  codes: readonly string[],
  headers: Readonly<Record<string, string>>,
): IdentityEndpointResponse {
  const query = new URLSearchParams(authorization.query)
  for (const name of parametersOfFreshness) query.delete(name)
  const url = `${request.baseUrl}/realms/public/protocol/openid-connect/auth?${query.toString()}`
  const page: IdentityEndpointPage = {
    title: 'Keep these recovery codes',
    paragraphs: [
      'Each of them replaces your second factor once, for instance if you lose the device. They are not shown again.',
      ...codes.map((code) => verbatim(`\`${code}\``)),
    ],
    form: null,
    link: { text: 'I have kept them: continue', url },
  }
  return createPageResponse(page, { headers })
}
