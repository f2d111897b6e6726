import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startIdentityTestApp, type IdentityTestApp, type SignedInUser } from '../../../../test/identity-test-app.ts'
import { createProgram, openConsent, programRequest } from '../../../../test/oauth/programs.ts'
import { authorizationParameters, createPkce, TestBrowser } from '../../../../test/test-browser.ts'

let app: IdentityTestApp
let owner: SignedInUser & { readonly organization: string }
before(async () => {
  app = await startIdentityTestApp()
  owner = await app.createFounder()
})
after(() => app.close())

const readSupported = async (): Promise<unknown> =>
  (await app.server.inject({ url: '/realms/public/.well-known/openid-configuration' })).json()['ui_locales_supported']

function createBrowser(language: string): TestBrowser {
  const browser = new TestBrowser(app)
  browser.language = language
  return browser
}

const headingOf = (body: string): string | undefined => /<h1>([^<]*)<\/h1>/.exec(body)?.[1]

test('the sign-in page, its errors and its title are in the language of the browser', async () => {
  const browser = createBrowser('de-CH,de;q=0.9')
  const page = await browser.open(authorizationParameters(createPkce()))
  assert.match(page.body, /<html lang="de">/)
  assert.equal(headingOf(page.body), 'Anmelden')
  for (const text of ['Weiter zur Swath-Konsole.', '>Passwort</label>', 'Mit einem Passkey anmelden'])
    assert.ok(page.body.includes(text), text)
  const refused = await browser.submit(page, { email: owner.email, password: 'wrong' })
  assert.match(refused.body, /<title>Fehler: Anmelden – Swath<\/title>/)
  assert.match(refused.body, /Die E-Mail-Adresse oder das Passwort ist falsch\./)
})

test('a client names the language, which the pages after the first one keep', async () => {
  const browser = createBrowser('de')
  const page = await browser.open(authorizationParameters(createPkce(), { ui_locales: 'it fr' }))
  assert.match(page.body, /<html lang="fr">/)
  const refused = await browser.submit(page, { email: '', password: '' })
  assert.match(refused.body, /Saisissez votre adresse e-mail\./)
  assert.deepEqual(await readSupported(), ['en', 'de', 'fr'])
})

test('the page of consent translates its words and what the program can do, but no names', async () => {
  const program = await createProgram(app, owner.token, { name: 'Password' })
  const browser = createBrowser('fr')
  const page = await openConsent(browser, programRequest(program, createPkce()), owner)
  assert.equal(headingOf(page.body), 'Autoriser Password ?')
  for (const text of ['voir les projets, leurs images', owner.email, '>Refuser<'])
    assert.ok(page.body.includes(text), text)
})

test('pages are in English for who asks for no language that they speak', async () => {
  const page = await createBrowser('it').open(authorizationParameters(createPkce()))
  assert.match(page.body, /<html lang="en">/)
  assert.equal(headingOf(page.body), 'Sign in')
})
