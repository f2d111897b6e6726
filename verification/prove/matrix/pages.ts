import { join } from 'node:path'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { readOutbox, recipientsOf } from '../../../packages/server/test/alerts/mail.ts'
import { realmPath } from '../../../packages/server/test/identity-test-app.ts'
import { waitFor } from '../harness/resources.ts'
import type { MatrixAnswer, MatrixPrincipal, Target, World } from './facts.ts'
import { compareAbsent, findRevealed, normalize } from './judge.ts'
import type { MatrixRun } from './run-cases.ts'
import { readAnswer } from './send-case.ts'

/** A page, or a file at a signed URL, with the secrets that its address has had. */
export interface AddressedPage {
  readonly name: string
  readonly path: (secret: string) => string
  /** One that is valid, of the other organization; null where only the address without one is tried. */
  readonly valid: string | null
  /** One that was valid. */
  readonly ended: string | null
  readonly random: string
  /** Whoever has the address of an ended one is told so. */
  readonly tellsEnd?: boolean
}

const visitorPassword = 'a password for visitors'

/** The pages and files that a secret in their address opens, all of the other organization. */
export async function createAddressedPages({ foreign, own }: World, folder: string): Promise<AddressedPage[]> {
  const { client } = foreign
  const revoked = await inviteByMail(foreign, folder)
  await client.call('organizations.invitations.revoke', { invitation_id: revoked.id })
  const invited = await inviteByMail(foreign, folder)
  const [shared, ended] = [await shareItem(foreign), await shareItem(foreign)]
  await client.call('share.link.revoke', { link_id: ended.id })
  const page = (name: string, path: (secret: string) => string): AddressedPage => ({
    name,
    path,
    valid: null,
    ended: null,
    random: newId(),
  })
  const withToken = (path: string) => (secret: string) => `${path}?token=${secret}`
  const { pathname, search } = new URL(shared.url)
  const ofOwnFile = new URL((await shareItem(own)).url).pathname
  return [
    {
      ...page('invitation', withToken('/invitations/accept')),
      valid: invited.token,
      ended: revoked.token,
      random: changeEnd(invited.token),
    },
    { ...page('share page', (secret) => `/share/${secret}`), valid: shared.token, ended: ended.token, random: changeEnd(shared.token), tellsEnd: true },
    { ...page('file', (secret) => secret), valid: `${pathname}${search}`, random: changeEnd(`${pathname}${search}`) },
    // The signature of one file at the address of another, which exists, and at that of none.
    {
      ...page('file of another signature', (secret) => `${secret}${search}`),
      ended: ofOwnFile,
      random: ofOwnFile.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, newId()),
    },
    page('password reset', withToken(`${realmPath.replace(/\/protocol.*/, '')}/login-actions/reset-password`)),
    page('e-mail change', withToken(`${realmPath.replace(/\/protocol.*/, '')}/login-actions/email`)),
    page('unsubscribe', withToken('/notifications/unsubscribe')),
    page('device', (secret) => `/device?user_code=${secret.slice(0, 8)}`),
    { ...page('answer of a provider', (id) => `/realms/public/broker/${id}/endpoint?code=1&state=2`), ended: foreign.organization },
    // Not the page of signing out, where a token ends its session.
    page('sign-in', () => `${realmPath}/auth?client_id=swath-console&response_type=code`),
  ] // prettier-ignore
}

async function inviteByMail({ client }: World['foreign'], folder: string): Promise<{ id: string; token: string }> {
  const email = `${newId()}@example.org`
  const { invitation } = await client.call<{ invitation: { id: string } }>('organizations.invitations.create', {
    email,
  })
  const readToken = async (): Promise<string | undefined> => {
    const mail = (await readOutbox(join(folder, 'outbox'))).find((one) => recipientsOf(one).includes(email))
    return mail && /accept\?token=(\S+)/.exec(mail.text ?? '')?.[1]
  }
  const token = await waitFor(readToken, { timeout_ms: 60_000 })
  if (token === null) throw new Error('no e-mail with an invitation arrived')
  return { id: invitation.id, token }
}

/** Shares an item; returns the link, and the signed URL of the file of the item that a visitor gets. */
async function shareItem({ client, app, item, asset }: World['foreign']) {
  const link = await client.call<{ id: string; token: string }>('share.link.create', {
    target_type: 'item',
    target_id: item,
    permission: 'download',
    password: visitorPassword,
    expires_at: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
  })
  const visitor = { token: link.token, password: visitorPassword }
  const { token } = await client.call<{ token: string }>('share.session.create', visitor)
  const file = { token, item_id: item, asset_id: asset }
  const { url } = await client.call<{ url: string }>('share.asset.download', file)
  return { ...link, url }
}

/** Another secret of the same form. */
const changeEnd = (secret: string): string => secret.slice(0, -4) + (secret.endsWith('AAAA') ? 'BBBB' : 'AAAA')

const kinds = [
  ['valid', 'other organization'],
  ['ended', 'deleted'],
  ['random', 'random'],
] as const satisfies readonly (readonly [keyof AddressedPage, Target])[]

/** Only the secret decides about a page: a credential of whoever opens it changes nothing, and one that ended is as none. */
export async function tryAddressedPages(
  run: MatrixRun,
  { name, credential }: MatrixPrincipal,
  pages: readonly AddressedPage[],
): Promise<void> {
  const bearer = credential.bearer ? await credential.bearer() : null
  for (const page of pages) {
    const answers = new Map<string, string>()
    for (const [kind, target] of kinds) {
      const secret = page[kind]
      if (secret === null) continue
      const path = page.path(secret)
      const report = (fault: string): void => void run.violations.push(`${name}, ${page.name}, ${kind}: ${fault}`)
      const [answer, anonymous] = [await open(run.url, path, bearer), await open(run.url, path, null)]
      run.table.count(name, target, answer.status)
      if (answer.status >= 500) report(`${answer.status}`)
      const difference = compareAbsent(withoutTokens(answer, secret), withoutTokens(anonymous, secret))
      if (difference) report(`differs from the page without a credential: ${difference}`)
      const revealed = kind === 'valid' ? [] : findRevealed(run.secrets.ofOrganization, answer, path)
      if (revealed.length > 0) report(`reveals ${revealed.join(', ')}`)
      answers.set(kind, withoutTokens(answer, secret))
    }
    const [ended, random] = [answers.get('ended'), answers.get('random')!]
    const difference = ended === undefined || page.tellsEnd ? null : compareAbsent(ended, random)
    if (difference) run.violations.push(`${name}, ${page.name}: one that ended ${difference}`)
  }
}

async function open(url: string, path: string, bearer: string | null): Promise<MatrixAnswer> {
  const headers = { accept: 'text/html', ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }) }
  return readAnswer(await fetch(`${url}${path}`, { headers, redirect: 'manual' }))
}

/** An answer without what each one has anew: tokens of its form, its trace, and the secret that was sent. */
function withoutTokens({ status, problem, headers, body }: MatrixAnswer, secret: string): string {
  const strip = (text: string): string =>
    text
      .replaceAll(secret, 'SECRET')
      .replaceAll(encodeURIComponent(secret), 'SECRET')
      .replaceAll(/value="[^"]*"/g, 'value')
      .replaceAll(/code_challenge=[\w-]+/g, 'code_challenge')
      .replaceAll(/^(set-cookie|cache-control: private).*$/gm, '$1')
      .replaceAll(/Trace (<code>)?[\w-]+/g, 'Trace')
  return normalize({ status, problem, headers: strip(headers), body: strip(body) }, secret)
}

/** Who is accepted is told about itself, and nobody else about anybody. */
export async function tryIdentityEndpoints(
  run: MatrixRun,
  { name, credential, facts }: MatrixPrincipal,
): Promise<void> {
  const bearer = credential.bearer ? await credential.bearer() : null
  const authorization: Record<string, string> = bearer === null ? {} : { authorization: `Bearer ${bearer}` }
  const call = async (path: string, fields: Record<string, string> | null) => {
    const form = fields === null ? {} : { method: 'POST', body: new URLSearchParams(fields) }
    const answer = await readAnswer(await fetch(`${run.url}${realmPath}/${path}`, { headers: authorization, ...form }))
    run.table.count(name, 'none', answer.status)
    const revealed = findRevealed(run.secrets.ofOrganization, answer, '')
    if (revealed.length > 0) run.violations.push(`${name}, ${path}: reveals ${revealed.join(', ')}`)
    return answer
  }
  const expect = (path: string, { status }: MatrixAnswer, ...wanted: readonly number[]): void => {
    if (!wanted.includes(status)) run.violations.push(`${name}, ${path}: ${status} instead of ${wanted.join(' or ')}`)
  }
  expect('userinfo', await call('userinfo', null), facts.isAccepted ? 200 : 401)
  const token = bearer ?? newId()
  expect('token/introspect', await call('token/introspect', { token }), facts.isAccepted ? 200 : 401)
  // Neither a token nor a person is a client of OAuth, and an access token refreshes nothing.
  expect('token', await call('token', { grant_type: 'client_credentials' }), 400, 401)
  expect('token', await call('token', { grant_type: 'refresh_token', refresh_token: token, client_id: 'swath' }), 400)
}
