import { Problem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { invitationPagePath } from '../../organizations/invitations/invitation-email.ts'
import { findUserByEmail, toEmailKey } from '../../users/users.ts'
import { getBrowserSession, type BrowserSession } from '../browser/browser-sessions.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import {
  createPageResponse,
  expiredSignInFormError,
  respondMessagePage,
  respondRedirect,
  type SignInFormError,
} from '../browser/pages.ts'
import { invitationClientId } from '../browser/public-clients.ts'
import { redirectToSignIn } from '../browser/redirect-to-sign-in.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage, IdentityPageForm } from '../page-texts/page.ts'
import { fill, sentence, type PageText } from '../page-texts/page-text.ts'
import { toUserPrincipal } from '../principals.ts'
import {
  acceptInvitation,
  findOpenInvitation,
  invalidInvitationMessage,
  type OpenInvitation,
} from './accept-invitation.ts'
import { submitNewAccount, newAccountFields, type NewAccountInput } from './new-account.ts'

/** A request with a token that can be accepted. */
export interface InvitationContext extends OpenInvitation {
  readonly dependencies: IdentityDependencies
  readonly request: IdentityEndpointRequest
  readonly token: string
  /** The session of the browser; null without one. */
  readonly session: BrowserSession | null
}

const operation = 'organizations.invitations.accept'
const step = 'invitation'

/**
 * The page that the link in an invitation opens. Who is signed in with the invited address accepts; who has an account signs in first;
 * others create one here. The link proves that the address is theirs.
 */
export async function showInvitationPage(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  // The sign-in page sends the token back as the state of its request.
  const token = request.query.get('token') ?? request.query.get('state') ?? ''
  const { unscoped: db, clock: clocks } = dependencies
  const open = await findOpenInvitation({ db, clocks }, token)
  if (!open) return respondInvalid()
  const session = await getBrowserSession(dependencies, request)
  // One that a provider began is for the organization of the provider alone.
  const isOwn = session?.provider_organization_id === null
  const context = { dependencies, request, token, ...open, session: isOwn ? session : null }
  if (request.method !== 'POST') return showPage(context)
  const chosen = request.form.get('choice') ?? ''
  const submit = Object.hasOwn(submissions, chosen) ? submissions[chosen] : undefined
  if (!submit || !isValidFormToken(dependencies, { step }, request, signedParts(context)))
    return showPage(context, { error: expiredSignInFormError })
  try {
    return await submit(context)
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 500) throw error
    if (error.problem === 'not-found') return respondInvalid()
    return respondMessagePage('The invitation cannot be accepted', sentence(error.message), { status: error.status })
  }
}

const respondInvalid = (): IdentityEndpointResponse =>
  createPageResponse(
    {
      title: 'This invitation is not valid',
      paragraphs: [sentence(invalidInvitationMessage), 'Ask who invited you for another one.'],
      form: null,
    },
    { status: 404 },
  )

const submissions: Readonly<Record<string, (context: InvitationContext) => Promise<IdentityEndpointResponse>>> = {
  accept: submitAcceptance,
  'sign-in': async (context) => sendToSignIn(context),
  create: async (context) => {
    const created = await submitNewAccount(context, createPageActor(context))
    return 'error' in created
      ? showPage(context, created)
      : respondRedirect(`${context.request.baseUrl}/`, created.headers)
  },
}

/** The values that bind the forms to the invitation and to the session of the browser. */
const signedParts = ({ token, session }: InvitationContext): readonly string[] => [token, session?.id ?? '']

const isInvited = ({ session, invitation }: InvitationContext): boolean =>
  session !== null && toEmailKey(session.user.email) === invitation.email_key

/** The page again after a form that was refused. */
interface RefusedForm extends NewAccountInput {
  readonly error: SignInFormError
}

async function showPage(context: InvitationContext, refused?: RefusedForm): Promise<IdentityEndpointResponse> {
  const { dependencies, request, token, organization, invitation } = context
  const binding = getOrCreateFormCookie(request)
  const form_token = signFormToken(dependencies, step, binding, signedParts(context))
  const { paragraphs, form } = await chooseForm(context, refused)
  const page: IdentityEndpointPage = {
    title: fill('Join {organization}', { organization: organization.name }),
    paragraphs: [
      fill(invitedText, {
        organization: organization.name,
        role: sentence(invitation.role),
        email: invitation.email,
      }),
      ...paragraphs,
    ],
    form: {
      query: new URLSearchParams({ token }).toString(),
      hidden: { form_token },
      error: refused?.error ?? null,
      // After an account was created, and after signing in, the browser goes on to pages of the platform.
      redirect_uri: null,
      ...form,
    },
  }
  const status = refused ? 400 : 200
  return createPageResponse(page, { status, headers: binding.headers })
}

const invitedText =
  'You are invited to the organization `{organization}` with the role {role}. The invitation is for `{email}`.'

type FormPart = Pick<IdentityPageForm, 'fields' | 'button' | 'otherButton'>

async function chooseForm(
  context: InvitationContext,
  refused: RefusedForm | undefined,
): Promise<{ readonly paragraphs: readonly PageText[]; readonly form: FormPart }> {
  const { dependencies, invitation, session } = context
  const signIn = { name: 'choice', value: 'sign-in', label: 'Sign in to accept' } as const
  if (isInvited(context))
    return { paragraphs: [], form: { fields: [], button: { name: 'choice', value: 'accept', label: 'Accept' } } }
  if (session)
    return {
      paragraphs: [fill('You are signed in as `{email}`, which is another address.', { email: session.user.email })],
      form: { fields: [], button: { ...signIn, label: 'Sign in with the invited address' } },
    }
  // Only who has the e-mail reads this page, so it may say that the address has an account.
  if (await findUserByEmail(dependencies.unscoped, invitation.email))
    return { paragraphs: ['The address has an account.'], form: { fields: [], button: signIn } }
  return {
    paragraphs: ['Choose a name and a password to create your account.'],
    form: {
      fields: newAccountFields(invitation.email, refused?.name ?? ''),
      button: { name: 'choice', value: 'create', label: 'Create an account and join' },
      otherButton: signIn,
    },
  }
}

/** Who accepts on the page, as an operation would know the caller. */
const createPageActor = ({ dependencies }: InvitationContext) => {
  const { clock: clocks, queue } = dependencies
  return { clocks, queue, operation, requestId: newId() }
}

async function submitAcceptance(context: InvitationContext): Promise<IdentityEndpointResponse> {
  const { dependencies, request, token, session } = context
  const principal = session && toUserPrincipal(session.user)
  if (!principal || !isInvited(context)) return showPage(context)
  const call = { principal, ...createPageActor(context) }
  const presented = { token, email: session.user.email, address: request.address }
  await dependencies.unscoped.transaction((tx) => acceptInvitation(tx, call, presented))
  return respondRedirect(`${request.baseUrl}/`)
}

const sendToSignIn = ({ request, token, invitation, session }: InvitationContext): IdentityEndpointResponse =>
  redirectToSignIn(
    request.baseUrl,
    { client_id: invitationClientId, path: invitationPagePath, state: token },
    // Somebody else is signed in.
    { login_hint: invitation.email, ...(session ? { prompt: 'login' } : {}) },
  )
