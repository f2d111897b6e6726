import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { ScimClient } from '../../../packages/server/test/federation/scim-client.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { waitForConsole } from '../../console/sign-in.ts'
import { button } from './steps.ts'
import { createWay, type Stage, type Way } from './stage.ts'

const { frame, signOn, team, credentials } = texts
const { domains, provider, scim } = signOn

const newDomain = (): string => `d${Math.round(performance.now())}.example.net`

async function openSecurity(page: Page): Promise<void> {
  await page.getByRole('link', { name: frame.places.team, exact: true }).click()
  await page.getByRole('navigation', { name: team.tabs }).getByRole('link', { name: team.security }).click()
}

const confirm = (page: Page, verb: string): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: verb, exact: true }).click()

const readClipboard = async (page: Page): Promise<string> =>
  (await page.evaluate('navigator.clipboard.readText()')) as string

/** Adds a domain, finds that its record is missing, puts the copied record into the name server, and verifies it. */
async function proveDomain({ page, names }: Stage, domain: string): Promise<void> {
  const section = page.getByRole('region', { name: domains.heading })
  const field = section.getByLabel(domains.domain, { exact: true })
  await field.fill('no domain')
  await button(page, domains.add).click()
  await section.getByText(/is not a domain/).waitFor()
  await field.fill(domain)
  await button(page, domains.add).click()
  const row = section.getByRole('listitem', { name: domain, exact: true })
  await row.getByText(domains.states.pending).waitFor()
  await row.getByRole('button', { name: domains.verifyNamed(domain) }).click()
  await row.getByText(/There is no TXT record/).waitFor()
  await row.getByRole('button', { name: domains.copyName }).click()
  const name = await readClipboard(page)
  await row.getByRole('button', { name: domains.copyValue }).click()
  names.records.set(name, [await readClipboard(page)])
  await row.getByRole('button', { name: domains.verifyNamed(domain) }).click()
  await row.getByText(domains.states.verified, { exact: true }).first().waitFor()
}

/** Enters the provider; its first address is refused beside the field. */
async function setProvider({ page, identityProvider }: Stage, domain: string): Promise<void> {
  const section = page.getByRole('region', { name: provider.heading })
  await section.getByRole('button', { name: provider.setUp }).click()
  await section.getByRole('button', { name: provider.copyRedirectUri }).click()
  assert.match(await readClipboard(page), /\/realms\/public\/broker\/[0-9a-f-]{36}\/endpoint$/)
  await section.getByLabel(provider.issuer, { exact: true }).fill('https://127.0.0.1:9')
  await section.getByLabel(provider.clientId, { exact: true }).fill(identityProvider.client_id)
  await section.getByLabel(provider.clientSecret, { exact: true }).fill(identityProvider.client_secret)
  await section.getByLabel(provider.rolesClaim, { exact: true }).fill('groups')
  await button(page, provider.addMapping).click()
  const group = section.getByRole('group', { name: provider.mapping(1) })
  await group.getByLabel(provider.value, { exact: true }).fill('gis-admins')
  await section.getByLabel(provider.role, { exact: true }).selectOption('admin')
  assert.ok(await section.getByLabel(domain, { exact: true }).isChecked(), 'the verified domain is chosen')
  await button(page, provider.save).click()
  await section.getByText(/^cannot be used/).waitFor()
  await section.getByLabel(provider.issuer, { exact: true }).fill(identityProvider.issuer)
  await button(page, provider.save).click()
  await section.getByText(provider.saved).waitFor()
  await section.getByRole('button', { name: provider.test, exact: true }).click()
  await section.getByText(provider.works).waitFor()
}

/** Somebody of the domain signs in with the provider, on the sign-in page, and is what the claim says. */
async function signInThere(stage: Stage, email: string): Promise<void> {
  stage.identityProvider.claims = { sub: email, email, email_verified: true, name: 'Ada Admin', groups: ['gis-admins'] }
  const page = await stage.openStrangersPage()
  await page.goto(stage.url)
  await page.getByLabel(/e-?mail/i).fill(email)
  // The next page leads to the provider by itself.
  await page.getByRole('button', { name: /^Continue with / }).click()
  await waitForConsole(page)
  await openSecurity(page)
  await page.getByRole('region', { name: provider.heading }).getByText(stage.identityProvider.issuer).waitFor()
}

/** Makes a token for a directory, which adds a person with it; then the token is revoked. */
async function provision({ page }: Stage, domain: string): Promise<void> {
  const section = page.getByRole('region', { name: scim.heading })
  const name = `Directory ${domain}`
  await section.getByRole('button', { name: scim.copyBaseUrl }).click()
  const baseUrl = await readClipboard(page)
  await section.getByLabel(scim.name, { exact: true }).fill(name)
  await button(page, scim.create).click()
  await section.getByText(scim.secret).waitFor()
  await section.getByRole('button', { name: scim.copy, exact: true }).click()
  const directory = new ScimClient(baseUrl, await readClipboard(page))
  await section.getByRole('button', { name: scim.done }).click()
  assert.equal((await directory.createUser(`grace@${domain}`)).status, 201)
  const row = section.getByRole('listitem', { name })
  await row.getByRole('button', { name: scim.revokeNamed(name) }).click()
  await confirm(page, scim.revoke)
  await row.getByText(credentials.states.revoked).waitFor()
  assert.equal((await directory.get('/Users')).status, 401)
}

/** The other ways go on without a provider. */
async function removeAll({ page }: Stage, domain: string): Promise<void> {
  await button(page, provider.removeLabel).click()
  await confirm(page, provider.remove)
  await page.getByText(provider.none).waitFor()
  await button(page, domains.removeNamed(domain)).click()
  await confirm(page, domains.remove)
  await page.getByRole('listitem', { name: domain, exact: true }).waitFor({ state: 'detached' })
  await page.getByText(provider.needsDomain).waitFor()
}

/** What a first attempt has left, if this is the second. */
async function clear({ url, person }: Stage): Promise<void> {
  const client = createPersonClient(url, person)
  const [{ provider: left }, { domains: known }] = await Promise.all([
    client.call('organizations.provider.get', {}),
    client.call('organizations.domains.list', {}),
  ])
  if (left) await client.call('organizations.provider.remove', {})
  for (const { domain } of known) await client.call('organizations.domains.remove', { domain })
}

const signOnOwner = createWay(
  'an owner sets up a provider with a verified domain and a SCIM token, and somebody signs in with it',
  async (stage) => {
    const domain = newDomain()
    await clear(stage)
    await stage.signIn()
    await openSecurity(stage.page)
    await stage.page.getByText(provider.needsDomain).waitFor()
    await proveDomain(stage, domain)
    await setProvider(stage, domain)
    await stage.takePicture('sign-on')
    await signInThere(stage, `ada@${domain}`)
    await provision(stage, domain)
    await removeAll(stage, domain)
  },
)

export const signOnWays: readonly Way[] = [signOnOwner]
