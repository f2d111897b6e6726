import assert from 'node:assert/strict'
import type { CDPSession, Page } from 'playwright-core'
import { createAuthenticatorApp } from '../../../packages/server/test/accounts/authenticator-app.ts'
import { personTexts } from '../../../apps/console/src/texts/person.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { startConsoleServer } from '../../console/console-server.ts'
import { replacePassword, signIn, signInToChangePassword, waitForConsole } from '../../console/sign-in.ts'
import {
  acceptWithNewAccount,
  clientOf,
  inviteOnPage,
  newAddress,
  newName,
  openAccount,
  openMember,
  openTeamTab,
  ownPassword,
  signOut,
  switchOrganization,
  waitForSignInPage,
} from './people.ts'
import { button } from './steps.ts'
import { createWay, type Stage, type Way } from './stage.ts'

const { totp, codes, passkeys } = personTexts
const { team, frame } = texts
const clock = { now: () => new Date() }

/** The app of a person, and the recovery codes that came with it. */
interface SetUp {
  readonly app: ReturnType<typeof createAuthenticatorApp>
  readonly recoveryCodes: readonly string[]
}

async function readCodes(page: Page): Promise<string[]> {
  const note = page.getByRole('status').filter({ hasText: codes.keep })
  await note.waitFor()
  return note.getByRole('listitem').allTextContents()
}

/** Sets an app up on the screen of the account, by the key that it shows. */
async function setUpApp(stage: Stage, page: Page): Promise<SetUp> {
  await openAccount(page, 'signIn')
  await button(page, totp.begin).click()
  const setup = page.getByRole('region', { name: totp.heading, exact: true })
  await setup.getByRole('img', { name: totp.picture }).waitFor()
  const app = createAuthenticatorApp({ clock }, (await setup.locator('code').first().textContent())!)
  await stage.inspect(page, 'account-app')
  await setup.getByLabel(totp.code).fill(app.code())
  await button(page, totp.confirm).click()
  await page.getByText(totp.confirmed).waitFor()
  await stage.inspect(page, 'account-codes')
  const recoveryCodes = await readCodes(page)
  assert.equal(recoveryCodes.length, 10)
  await button(page, personTexts.done).click()
  return { app, recoveryCodes }
}

/** The page after the password. */
async function enterCode(page: Page, label: 'Code' | 'Recovery code', code: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).fill(code)
  await button(page, 'Continue').click()
}

const careful = createWay('a person sets an app up, signs in with it, and turns it off', async (stage) => {
  const member = await openMember(stage, 'Cleo')
  const { page } = member
  const { app, recoveryCodes } = await setUpApp(stage, page)
  await page.getByText(codes.left(10)).waitFor()
  await signOut(page)
  await signIn(page, member)
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await stage.inspect(page, 'second-factor')
  await enterCode(page, 'Code', '000000')
  await page.getByText('That is wrong, or was used before.').waitFor()
  // That of now was used to set the app up; the next one is accepted, too.
  await enterCode(page, 'Code', app.code(30))
  await waitForConsole(page)
  for (const attempt of ['first', 'second']) {
    await signOut(page)
    await signIn(page, member)
    await enterCode(page, 'Code', recoveryCodes[0]!)
    if (attempt === 'first') await waitForConsole(page)
  }
  await page.getByText('That is wrong, or was used before.').waitFor()
  await enterCode(page, 'Code', recoveryCodes[1]!)
  await waitForConsole(page)
  await openAccount(page, 'signIn')
  await page.getByText(codes.left(8)).waitFor()
  await button(page, totp.remove).click()
  await page.getByRole('dialog').getByRole('button', { name: totp.remove }).click()
  await page.getByText(totp.removed).waitFor()
  await page.getByText(codes.none).waitFor()
  await signOut(page)
  await signIn(page, member)
  await waitForConsole(page)
})

/** In an organization of its own: the rule would end the sessions of all other ways. */
const required = createWay('an organization requires a second factor, which its members set up', async (stage) => {
  const { page, ...owner } = await openMember(stage, 'Rita')
  const name = newName('Required')
  await clientOf(stage, owner).call('organizations.create', { name })
  const { app } = await setUpApp(stage, page)
  await page.reload()
  await waitForConsole(page)
  await switchOrganization(page, name)
  const email = newAddress('bo')
  await inviteOnPage(page, email, 'member')
  const member = await acceptWithNewAccount(stage, email, 'Bo')
  await openTeamTab(page, team.security)
  await button(page, team.secondFactor.require).click()
  await page.getByRole('dialog').getByRole('button', { name: team.secondFactor.require }).click()
  await page.getByText(team.secondFactor.required).waitFor()

  await member.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await stage.inspect(member, 'set-up')
  await member.close()
  const again = await stage.openStrangersPage()
  await again.goto(stage.url)
  await signIn(again, { email, password: ownPassword })
  const secret = (await again.locator('main code').first().textContent())!
  await enterCode(again, 'Code', createAuthenticatorApp({ clock }, secret).code())
  await again.getByRole('heading', { name: 'Keep these recovery codes' }).waitFor()
  await stage.inspect(again, 'set-up-codes')
  assert.equal(await again.locator('main code').count(), 10)
  await again.getByRole('link', { name: 'I have kept them: continue' }).click()
  await waitForConsole(again)
  await signOut(page)
  await signIn(page, owner)
  await enterCode(page, 'Code', app.code(30))
  await waitForConsole(page)
  assert.ok(await page.getByRole('link', { name: frame.places.team, exact: true }).count())
})

/** A device with an authenticator that verifies its user by itself, as that of a phone does. */
async function addAuthenticator(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return session
}

const holder = createWay('a person signs in with a passkey, renames and removes it', async (stage) => {
  const { page, ...member } = await openMember(stage, 'Pia')
  await addAuthenticator(page)
  await openAccount(page, 'signIn')
  await page.getByLabel(passkeys.name, { exact: true }).fill('phone')
  await button(page, passkeys.add).click()
  await button(page, passkeys.removeNamed('phone')).waitFor()
  assert.equal((await readCodes(page)).length, 10)
  await stage.inspect(page, 'account-passkeys')
  await signOut(page)
  await button(page, 'Sign in with a passkey').click()
  await button(page, 'Use a passkey').waitFor()
  await stage.inspect(page, 'passkey')
  await button(page, 'Use a passkey').click()
  await waitForConsole(page)
  await signOut(page)
  await signIn(page, member)
  await page.getByText('Use your passkey, or enter a recovery code.').waitFor()
  await stage.inspect(page, 'second-factor-passkey')
  await button(page, 'Use a passkey').click()
  await waitForConsole(page)
  await openAccount(page, 'signIn')
  await button(page, passkeys.renameNamed('phone')).click()
  await page.getByLabel(passkeys.newName, { exact: true }).fill('old phone')
  await button(page, personTexts.save).click()
  await button(page, passkeys.removeNamed('old phone')).click()
  await page.getByRole('dialog').getByRole('button', { name: passkeys.remove, exact: true }).click()
  await page.getByText(passkeys.none).waitFor()
  await signOut(page)
  await button(page, 'Sign in with a passkey').click()
  await button(page, 'Use a passkey').click()
  await page.getByRole('alert').waitFor()
  await stage.inspect(page, 'passkey-refused')
  await page.getByRole('link', { name: 'Sign in with your password' }).click()
  await signIn(page, member)
  await waitForConsole(page)
})

const nameless = createWay('a server without a host name says that it has no passkeys', async (stage) => {
  await using server = await startConsoleServer({}, '127.0.0.1')
  const page = await stage.openStrangersPage()
  await page.goto(server.url)
  await waitForSignInPage(page)
  await button(page, 'Sign in with a passkey').click()
  await page.getByText('browsers bind passkeys to names').waitFor()
  await stage.inspect(page, 'no-passkeys')
  await page.goBack()
  const { username: email, password } = server.credentials
  await signInToChangePassword(page, { email, password })
  await page.getByLabel('New password', { exact: true }).waitFor()
  await stage.inspect(page, 'new-password')
  await replacePassword(page, ownPassword)
  await waitForConsole(page)
  await openAccount(page, 'signIn')
  await page.getByText(passkeys.unsupported).waitFor()
  assert.equal(await button(page, passkeys.add).count(), 0)
})

export const secondFactorWays: readonly Way[] = [careful, required, holder, nameless]
