import { hashSecretSha256 } from '../../../platform/crypto/secrets.ts'
import { isUniqueViolation } from '../../../platform/database/unique-violation.ts'
import { getOrCreateFormCookie, isValidFormToken, signFormToken } from '../browser/form-tokens.ts'
import {
  createPageResponse,
  expiredSignInFormError,
  respondMessagePage,
  type SignInFormError,
} from '../browser/pages.ts'
import type { IdentityDependencies } from '../dependencies.ts'
import { lockUser } from '../memberships/store.memberships.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import type { IdentityEndpointPage } from '../page-texts/page.ts'
import { fill } from '../page-texts/page-text.ts'
import { recordAccountAct } from './audit.ts'
import { confirmEmailChange, undoEmailChange } from './change-email.ts'
import {
  findAccountMailByToken,
  lockAccountMailByToken,
  markAccountMailUsed,
  type AccountMailRow,
} from './store.account-mails.ts'
import { findEmailChange, type EmailChangeRow } from './store.email-changes.ts'

const step = 'account-link'

type LinkKind = 'email-confirmation' | 'email-notice'

interface OpenLink {
  readonly token: string
  readonly kind: LinkKind
  readonly change: EmailChangeRow
}

const isOpen = (
  mail: AccountMailRow | null,
  now: Date,
): mail is AccountMailRow & { readonly kind: LinkKind; readonly subject_id: string } =>
  mail !== null &&
  (mail.kind === 'email-confirmation' || mail.kind === 'email-notice') &&
  mail.subject_id !== null &&
  mail.used_at === null &&
  mail.expires_at > now

/** The page that the links about another e-mail address open: one confirms it, the other refuses it. */
export async function showAccountLinkPage(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
): Promise<IdentityEndpointResponse> {
  const { unscoped, clock } = dependencies
  const token = request.query.get('token') ?? ''
  const mail = await findAccountMailByToken(unscoped, hashSecretSha256(token))
  const change = isOpen(mail, clock.now()) ? await findEmailChange(unscoped, mail.subject_id) : null
  if (!mail || !change) return respondInvalidLink()
  const link = { token, kind: mail.kind as LinkKind, change }
  if (request.method !== 'POST') return askForDecision(dependencies, request, link)
  if (!isValidFormToken(dependencies, { step }, request, [token]))
    return askForDecision(dependencies, request, link, expiredSignInFormError)
  return useLink(dependencies, request, link)
}

const respondInvalidLink = (): IdentityEndpointResponse =>
  respondMessagePage('This link is not valid', 'It was used before, has expired, or is not needed any more.', {
    status: 404,
  })

function askForDecision(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  { token, kind, change }: OpenLink,
  error: SignInFormError | null = null,
): IdentityEndpointResponse {
  const binding = getOrCreateFormCookie(request)
  const { old_email: from, new_email: to } = change
  const isConfirmation = kind === 'email-confirmation'
  const page: IdentityEndpointPage = {
    title: isConfirmation ? 'Use this e-mail address?' : 'Refuse the other e-mail address?',
    paragraphs: [isConfirmation ? fill(confirmationText, { from, to }) : fill(refusalText, { from, to })],
    form: {
      query: new URLSearchParams({ token }).toString(),
      hidden: { form_token: signFormToken(dependencies, step, binding, [token]) },
      fields: [],
      button: isConfirmation ? 'Use this address' : 'This was not me: refuse it',
      error,
      redirect_uri: null,
    },
  }
  return createPageResponse(page, { status: error ? 400 : 200, headers: binding.headers })
}

const confirmationText = 'The account of `{from}` has the address `{to}` from then on, also for signing in.'
const refusalText =
  'Your account keeps the address `{from}` instead of `{to}`, or gets it back. All sessions end, and you get a link to choose another password.'

type LinkOutcome = 'confirmed' | 'undone' | 'taken' | 'closed'

async function useLink(
  dependencies: IdentityDependencies,
  request: IdentityEndpointRequest,
  link: OpenLink,
): Promise<IdentityEndpointResponse> {
  const outcome = await applyLink(dependencies, request, link).catch((error: unknown): LinkOutcome => {
    // Another account got the address at the same moment.
    if (isUniqueViolation(error)) return link.kind === 'email-notice' ? 'taken' : 'closed'
    throw error
  })
  return outcomes[outcome]()
}

const outcomes: Readonly<Record<LinkOutcome, () => IdentityEndpointResponse>> = {
  confirmed: () => respondMessagePage('The address was confirmed', 'Your account has it from now on.'),
  undone: () =>
    respondMessagePage(
      'The other address was refused',
      'All sessions and personal access tokens have ended, and passkeys and authenticator apps added since the day before are removed. An e-mail with a link to choose another password is on its way to you.',
    ),
  taken: () =>
    respondMessagePage(
      'The address cannot come back',
      'Another account has it by now. Write to the operator of this platform.',
      { status: 409 },
    ),
  closed: respondInvalidLink,
}

const applyLink = (
  { unscoped, clock, queue }: IdentityDependencies,
  { address }: IdentityEndpointRequest,
  { token, kind, change }: OpenLink,
): Promise<LinkOutcome> =>
  unscoped.transaction(async (tx): Promise<LinkOutcome> => {
    const at = clock.now()
    // Before the link, in the order of all changes of an account.
    await lockUser(tx, change.user_id)
    const mail = await lockAccountMailByToken(tx, hashSecretSha256(token))
    if (!isOpen(mail, at)) return 'closed'
    const act = { user: change.user_id, address, at }
    if (kind === 'email-confirmation') {
      if (!(await confirmEmailChange(tx, change.id, at))) return 'closed'
      await markAccountMailUsed(tx, mail.id, at)
      await recordAccountAct(tx, { ...act, operation: 'users.email.confirm' })
      return 'confirmed'
    }
    const outcome = await undoEmailChange(tx, { queue, clock }, { change_id: change.id, at })
    if (outcome !== 'undone') return outcome
    await markAccountMailUsed(tx, mail.id, at)
    await recordAccountAct(tx, { ...act, operation: 'users.email.refuse' })
    return 'undone'
  })
