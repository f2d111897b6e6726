import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { allowProgram, requestTokens, type Program } from '../../console/allow-program.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { replacePassword, signInToChangePassword, waitForConsole } from '../../console/sign-in.ts'
import { button } from './steps.ts'
import { createWay, time_limits, type Stage, type Way } from './stage.ts'

const { build, credentials, frame, team } = texts
const { clients, programs, tokens } = credentials
const redirect_uri = 'https://agent.example/callback'

const newName = (name: string): string => `${name} ${Math.round(performance.now())}`

/** Opens a part of the place of developers. */
async function openBuild(page: Page, tab: string): Promise<void> {
  await page.getByRole('link', { name: frame.places.build, exact: true }).click()
  await page.getByRole('navigation', { name: build.tabs }).getByRole('link', { name: tab, exact: true }).click()
}

/** The status with which an operation answers a Bearer token. */
async function callAs(url: string, token: string, operation: string): Promise<number> {
  const { status } = await fetch(`${url}/v1/op/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return status
}

/** Presses the button of a dialog that has asked. */
const confirm = (page: Page, verb: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()

/** The text of the console that a copy button has left in the clipboard. */
async function copy(page: Page, place: Locator, label: string): Promise<string> {
  await place.getByRole('button', { name: label, exact: true }).click()
  return (await page.evaluate('navigator.clipboard.readText()')) as string
}

/** Registers a client with a redirect URI that is refused at first, beside its field. */
async function registerClient(page: Page, name: string): Promise<Program> {
  await button(page, clients.new).first().click()
  const form = page.getByRole('region', { name: clients.new })
  await form.getByLabel(build.name, { exact: true }).fill(name)
  await form.getByLabel(new RegExp(clients.grantTexts.client_credentials)).check()
  await form.getByLabel(clients.redirectUris, { exact: true }).fill(`${redirect_uri}\nhttp://agent.example/callback`)
  await form.getByRole('button', { name: clients.create }).click()
  await form.getByText(/^Entry 2 must be https/).waitFor()
  await form.getByLabel(clients.redirectUris, { exact: true }).fill(redirect_uri)
  await form.getByRole('button', { name: clients.create }).click()
  await page.getByText(clients.secret).waitFor()
  const made = page.getByRole('region', { name, exact: true }).first()
  const client_secret = await copy(page, made, clients.copySecret)
  const client_id = await copy(page, made, clients.copyId)
  await made.getByRole('button', { name: credentials.done }).click()
  return { client_id, client_secret, redirect_uri }
}

/** Replaces the secret, so that the former one is not accepted any more. */
async function rotateSecret(page: Page, name: string): Promise<string> {
  await button(page, clients.rotateNamed(name)).click()
  await page.getByRole('dialog').getByLabel(clients.overlap, { exact: true }).selectOption('0')
  await confirm(page, clients.rotate)
  await page.getByText(clients.secret).waitFor()
  const card = page.getByRole('region', { name, exact: true })
  const secret = await copy(page, card, clients.copySecret)
  await card.getByRole('button', { name: credentials.done }).click()
  return secret
}

/** A person lets the program in, finds it in the console, and ends its access. */
async function allowAndEnd({ page, url, person }: Stage, name: string, program: Program): Promise<void> {
  const { access_token } = await allowProgram(url, person, program, 'openid items:read')
  assert.equal(await callAs(url, access_token, 'projects.list'), 200)
  await openBuild(page, programs.title)
  const card = page.getByRole('region', { name, exact: true })
  await card.getByText('items:read').waitFor()
  await card.getByRole('button', { name: programs.revokeNamed(name) }).click()
  await confirm(page, programs.revoke)
  await card.waitFor({ state: 'detached' })
  assert.equal(await callAs(url, access_token, 'projects.list'), 401)
}

const clientOwner = createWay('an owner registers an OAuth client and rotates its secret', async (stage) => {
  const { page, url } = stage
  const name = newName('Agent')
  const grant = { grant_type: 'client_credentials' }
  await stage.signIn()
  await openBuild(page, clients.title)
  const program = await registerClient(page, name)
  const { status, access_token } = await requestTokens(url, program, grant)
  assert.deepEqual([status, await callAs(url, access_token, 'users.me')], [200, 200])
  const client_secret = await rotateSecret(page, name)
  assert.notEqual(client_secret, program.client_secret)
  assert.equal((await requestTokens(url, program, grant)).status, 401, 'the former secret')
  assert.equal((await requestTokens(url, { ...program, client_secret }, grant)).status, 200, 'the new secret')
  await stage.takePicture('oauth-clients')
  await allowAndEnd(stage, name, { ...program, client_secret })
  await openBuild(page, clients.title)
  await button(page, clients.disableNamed(name)).click()
  await confirm(page, clients.disable)
  await page.getByRole('region', { name, exact: true }).getByText(clients.disabled).waitFor()
  assert.notEqual((await requestTokens(url, { ...program, client_secret }, grant)).status, 200, 'switched off')
  await button(page, clients.removeNamed(name)).click()
  await page
    .getByRole('dialog')
    .getByRole('heading', { name: clients.removeTitle(name) })
    .waitFor()
  await confirm(page, clients.remove)
  await page.getByRole('region', { name, exact: true }).waitFor({ state: 'detached' })
})

/** A member without another role, who has chosen a password, in a browser of their own. */
async function openMemberPage(stage: Stage): Promise<Page> {
  const email = `tom${Math.round(performance.now())}@example.com`
  const owner = createPersonClient(stage.url, stage.person)
  const { one_time_password } = await owner.call('organizations.members.add', { email, name: 'Tom Token' })
  const page = await stage.openStrangersPage()
  await page.goto(stage.url)
  await signInToChangePassword(page, { email, password: one_time_password! })
  await replacePassword(page, 'a password of the member')
  await waitForConsole(page)
  return page
}

/** Members are told what they may not do, and are not offered it. */
async function assertDenied(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/build/clients`)
  await page.getByRole('alert').first().waitFor()
  assert.equal(await button(page, clients.new).count(), 0)
  await page.goto(`${url}/team/security`)
  await page.waitForURL(/\/team\/organization/)
  assert.equal(await page.getByRole('link', { name: team.security, exact: true }).count(), 0)
}

/** Uses are written in batches, so the list is read again until it has this one. */
async function waitForUse(page: Page, row: Locator): Promise<void> {
  for (let reads = 0; reads < 10; reads++) {
    await page.reload()
    await row.waitFor()
    if ((await row.getByText(credentials.from('127.0.0.1')).count()) > 0) return
    await page.waitForTimeout(1000)
  }
  assert.fail('the use of the token is not shown')
}

const tokenOwner = createWay(
  'a person makes a personal access token that works over HTTP and revokes it',
  async (stage) => {
    const { url } = stage
    const page = await openMemberPage(stage)
    const name = newName('Notebook')
    await assertDenied(page, url)
    await openBuild(page, tokens.title)
    await button(page, tokens.new).first().click()
    const form = page.getByRole('region', { name: tokens.new })
    await form.getByLabel(build.name, { exact: true }).fill(name)
    await form.getByLabel(build.scopes, { exact: true }).selectOption('chosen')
    await form.getByLabel(credentials.scopes.find, { exact: true }).fill('imagery and projects')
    await form.getByLabel(/^see projects/).check()
    await form.getByRole('button', { name: tokens.create }).click()
    await page.getByText(tokens.secret).waitFor()
    const token = await copy(page, page.getByRole('region', { name, exact: true }), tokens.copy)
    assert.match(token, /^swathpat_/)
    assert.equal(await callAs(url, token, 'projects.list'), 200)
    assert.equal(await callAs(url, token, 'billing.credits.balance'), 403, 'not within its scopes')
    await button(page, credentials.done).click()
    const row = page.getByRole('row').filter({ hasText: name })
    await row.locator('summary').click()
    await row.getByText('items:read').waitFor()
    await waitForUse(page, row)
    await button(page, build.revokeNamed(name)).click()
    await confirm(page, build.revoke)
    await row.getByText(credentials.states.revoked).waitFor({ timeout: time_limits.step_ms })
    assert.equal(await callAs(url, token, 'projects.list'), 401)
  },
)

export const credentialWays: readonly Way[] = [clientOwner, tokenOwner]
