import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { createClient } from '@swath/client/client.ts'
import { signIn, waitForConsole } from '../../console/sign-in.ts'
import { clientOf, newName, openAccountMenu, openMember, signOut, switchOrganization } from './people.ts'
import { button } from './steps.ts'
import { createWay, type Stage, type Way } from './stage.ts'

const realm = '/realms/public'

/** Throws unless the menu of the account marks the organization as the present one. */
async function expectOrganization(page: Page, name: string): Promise<void> {
  await openAccountMenu(page)
  await page.getByRole('menuitemradio', { name, checked: true }).waitFor()
  await page.keyboard.press('Escape')
}

/** A program on the machine of a person, which has registered itself, and where browsers come back to it. */
interface Program extends AsyncDisposable {
  readonly client_id: string
  readonly redirect_uri: string
}

async function startProgram({ url }: Stage): Promise<Program> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><html lang="en"><title>Connected</title><link rel="icon" href="data:,"><p>Connected')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const redirect_uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`
  const response = await fetch(`${url}${realm}/clients-registrations/openid-connect`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Map tool',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
      scope: 'items:read organizations:read',
    }),
  })
  assert.equal(response.status, 201)
  const { client_id } = (await response.json()) as { client_id: string }
  return {
    client_id,
    redirect_uri,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Connects the program on the page that asks for consent; returns its access token. */
async function connect(stage: Stage, page: Page, organization: string): Promise<string> {
  await using program = await startProgram(stage)
  const { client_id, redirect_uri } = program
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid items:read organizations:read',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  await page.goto(`${stage.url}${realm}/protocol/openid-connect/auth?${query.toString()}`)
  await page.getByRole('heading', { name: 'Allow Map tool?' }).waitFor()
  await page.getByLabel('Organization', { exact: true }).selectOption({ label: organization })
  await stage.inspect(page, 'consent')
  await button(page, 'Allow').click()
  await page.getByText('Connected').waitFor()
  const code = new URL(page.url()).searchParams.get('code')!
  const response = await fetch(`${stage.url}${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier }),
  })
  const { access_token } = (await response.json()) as { access_token?: string }
  assert.ok(access_token, 'the program has tokens')
  return access_token
}

/** Nothing asks who signs in to the console: it opens in the organization of the last time. */
const chooser = createWay(
  'a person in two organizations goes on in the last one, and chooses for a program',
  async (stage) => {
    const { page, ...member } = await openMember(stage, 'Toni')
    const client = clientOf(stage, member)
    const { organization: joined } = await client.call('users.me', {})
    const name = newName('Second')
    await client.call('organizations.create', { name })
    await page.reload()
    await waitForConsole(page)
    await expectOrganization(page, joined!.name)
    await switchOrganization(page, name)
    await expectOrganization(page, name)
    await signOut(page)
    await signIn(page, member)
    await waitForConsole(page)
    await expectOrganization(page, name)
    await switchOrganization(page, joined!.name)
    await expectOrganization(page, joined!.name)
    const token = await connect(stage, page, name)
    const program = createClient({ baseUrl: stage.url, token: async () => token })
    assert.equal((await program.call('users.me', {})).organization?.name, name)
    await page.goto(stage.url)
    await waitForConsole(page)
    await expectOrganization(page, joined!.name)
  },
)

export const organizationWays: readonly Way[] = [chooser]
