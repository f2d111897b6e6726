import type { OAuthProgram } from '../clients/oauth-client.ts'
import { findWantedScopes } from '../clients/oauth-client.ts'
import { describeProgram, describeScopes, organizationFields, readOrganization } from '../consents/consent-words.ts'
import {
  findConsent,
  listEligibleOrganizations,
  recordConsent,
  type EligibleOrganization,
} from '../consents/consents.ts'
import type { IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
import { findUserAuth, type UserAuthRow } from '../store.ts'
import { AuthorizationError } from './authorization-error.ts'
import { respondWithCode, type ResponseContext } from './authorization-response.ts'
import { getBrowserSession } from './browser-sessions.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from './form-tokens.ts'
import { createPageResponse, expiredSignInFormError, type SignInFormError } from './pages.ts'
import type { BrowserSessionRow } from './store.browser-sessions.ts'
import type { AuthorizationRequestContext, FormSubmissionResult } from './submission.ts'

const step = 'consent'

/** What a program of others asks a user for. */
interface ConsentQuestion {
  readonly program: OAuthProgram
  readonly user: UserAuthRow
  readonly scopes: readonly string[]
  readonly organizations: readonly EligibleOrganization[]
}

type Headers = Readonly<Record<string, string>>

/**
 * Sends a user who is signed in on to the client. For a program of others the user has consented before, or is asked now: also again,
 * for more than before and with `prompt=consent`.
 */
export async function continueToClient(
  context: ResponseContext,
  session: BrowserSessionRow,
  headers: Headers = {},
): Promise<IdentityEndpointResponse> {
  const { dependencies, authorization } = context
  const { program } = authorization.client
  if (!program) return respondWithCode(context, session, { headers })
  const question = await askWhat(context, program, session)
  const { scopes, organizations, user } = question
  const consent = authorization.forces_consent
    ? null
    : await findConsent(dependencies, user.id, { client: program.id, organizations, scopes })
  if (consent)
    return respondWithCode(context, session, { headers, granted: { scopes, organization_id: consent.organization_id } })
  if (authorization.prompt === 'none')
    throw new AuthorizationError('consent_required', 'The user has to consent.', authorization)
  return showConsentPage(context, session, question, { headers })
}

/** Throws `invalid_scope`, or `access_denied` for a user who may not use the program. */
async function askWhat(
  { dependencies, authorization }: ResponseContext,
  program: OAuthProgram,
  session: BrowserSessionRow,
): Promise<ConsentQuestion> {
  const { openid, scopes: resources, organization_id: named } = authorization
  const scopes = findWantedScopes(program, { openid, resources })
  if (scopes === null)
    throw new AuthorizationError('invalid_scope', 'The client may have none of these scopes.', authorization)
  const user = await findUserAuth(dependencies.unscoped, session.user_id)
  const organizations = user
    ? await listEligibleOrganizations(dependencies, { ...session, user }, { program, named })
    : []
  if (!user || organizations.length === 0) {
    const reason = program.open_to_all
      ? 'The user is in no organization that the program could act in.'
      : 'The program is for members of another organization.'
    throw new AuthorizationError('access_denied', reason, authorization)
  }
  return { program, user, scopes, organizations }
}

/** The values that bind the form to the request and to the session of the user who decides. */
const signedParts = ({ authorization }: ResponseContext, { id }: BrowserSessionRow): readonly string[] => [
  authorization.query,
  id,
]

async function showConsentPage(
  context: ResponseContext,
  session: BrowserSessionRow,
  { program, user, scopes, organizations }: ConsentQuestion,
  { headers = {}, error = null }: { readonly headers?: Headers; readonly error?: SignInFormError | null },
): Promise<IdentityEndpointResponse> {
  const { dependencies, request, authorization } = context
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, step, binding, signedParts(context, session))
  const { name } = program
  const page: IdentityEndpointPage = {
    title: fill('Allow {program}?', { program: name }),
    paragraphs: [
      describeRequest(name, user, organizations),
      await describeProgram(dependencies.unscoped, program),
      fill('You will be sent to `{target}`.', { target: describeTarget(authorization.redirect_uri) }),
      ...(scopes.length === 0 ? [] : (['Within your role, it can:'] as const)),
    ],
    items: describeScopes(scopes),
    form: {
      query: authorization.query,
      hidden: { step, session: session.id, form_token },
      fields: organizationFields(organizations),
      button: { name: 'decision', value: 'allow', label: 'Allow' },
      otherButton: { name: 'decision', value: 'deny', label: 'Deny' },
      error,
      redirect_uri: authorization.redirect_uri,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: { ...binding.headers, ...headers } })
}

function describeRequest(program: string, { email }: UserAuthRow, organizations: readonly EligibleOrganization[]) {
  const [only, ...others] = organizations
  return only && others.length === 0
    ? fill(requestInOrganization, { program, email, organization: only.name })
    : fill(requestText, { program, email })
}

const requestText = '{program} asks to act as {email}. It learns your name, your e-mail address and your organization.'
const requestInOrganization =
  '{program} asks to act as {email} in {organization}. It learns your name, your e-mail address and your organization.'

/** The host of a redirect URI, or the scheme of an app. */
function describeTarget(redirect_uri: string): string {
  const { host, protocol } = new URL(redirect_uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol
}

/** The decision of a user about a program of others. */
export async function submitConsent(context: AuthorizationRequestContext): Promise<FormSubmissionResult> {
  const { dependencies, request, authorization, session_id } = context
  const session = await getBrowserSession(dependencies, request)
  const { program } = authorization.client
  if (!session || session.id !== session_id || !program)
    return { signInAgain: { email: session?.user.email ?? '', status: 400, error: expiredSignInFormError } }
  const question = await askWhat(context, program, session)
  if (!isValidFormToken(dependencies, { step }, request, signedParts(context, session)))
    return { response: await showConsentPage(context, session, question, { error: expiredSignInFormError }) }
  if (request.form.get('decision') !== 'allow')
    throw new AuthorizationError('access_denied', 'The user has not allowed it.', authorization)
  const organization = readOrganization(request.form, question.organizations)
  if (!organization) {
    const error: SignInFormError = { text: 'Choose one of your organizations.', field: 'organization' }
    return { response: await showConsentPage(context, session, question, { error }) }
  }
  const { scopes } = question
  await recordConsent(dependencies, session.user_id, { program, organization: organization.id, scopes })
  return {
    response: await respondWithCode(context, session, { granted: { scopes, organization_id: organization.id } }),
  }
}
