import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { replacePassword, signInToChangePassword, waitForConsole } from '../../console/sign-in.ts'
import { accountWays } from './account-ways.ts'
import { analyseWays } from './analyse-ways.ts'
import { archiveWays } from './archive-ways.ts'
import { credentialWays } from './credential-ways.ts'
import { exploreWays } from './explore-ways.ts'
import { firstRunWays } from './first-run-ways.ts'
import { keeper } from './library-ways.ts'
import { keyboardWays } from './keyboard-ways.ts'
import { operationsWays } from './operations-ways.ts'
import { organizationWays } from './organization-ways.ts'
import { button, buySelection, chooseFirstScene, placeOrder } from './steps.ts'
import { secondFactorWays } from './second-factor-ways.ts'
import { signOnWays } from './sign-on-ways.ts'
import { taskingWays } from './tasking-ways.ts'
import { moneyWays } from './money-ways.ts'
import { tableWays } from './table-ways.ts'
import { teamWays } from './team-ways.ts'
import { webhookWays } from './webhook-ways.ts'
import { watchWays } from './watch-ways.ts'
import { time_limits, createWay, type Way } from './stage.ts'
import { viewWays } from './view-ways.ts'

/** Its picture is draped on the map, which logs an error if it may not be loaded. */
async function lookAtFirstScene(page: Page): Promise<void> {
  await page
    .locator('li[data-scene]')
    .first()
    .getByRole('button', { name: /detail/i })
    .click()
  await page.getByLabel(texts.explore.drape).check()
  await page.waitForTimeout(500)
  await page.goBack()
}

const waitForDelivery = (page: Page): Promise<void> =>
  page.getByText(texts.orders.states.FULFILLED).first().waitFor({ timeout: time_limits.work_ms })

/** From the printed password to a shared NDVI. */
const newUser = createWay(
  'a new user buys, looks at NDVI and shares',
  async ({ page, url, credentials, newPassword }) => {
    await page.goto(url)
    await signInToChangePassword(page, { email: credentials.username, password: credentials.password })
    await replacePassword(page, newPassword)
    await waitForConsole(page)
    await lookAtFirstScene(page)
    await chooseFirstScene(page)
    await buySelection(page)
    await waitForDelivery(page)
    await page
      .getByRole('link', { name: new RegExp(`^${texts.orders.view} `) })
      .first()
      .click()
    await button(page, 'NDVI').click()
    await page.waitForURL(/NDVI|ndvi/i)
    await page.getByRole('button', { name: texts.viewer.tab.share, exact: true }).click()
    await shareItem(page)
  },
)

async function shareItem(page: Page): Promise<void> {
  await page.getByLabel(texts.shareLinks.password).fill('a password for visitors')
  await button(page, texts.shareLinks.create).click()
  await page.getByText(texts.shareLinks.ready).waitFor()
}

const buyer = createWay('a buyer sees the price before paying, and the order moves by itself', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  // Priced scenes only, where there are some.
  await page.goto(`${url}/explore?host=commercial&v=-90,40,2`)
  await chooseFirstScene(page)
  await button(page, texts.explore.addToCart).click()
  await page.getByRole('link', { name: new RegExp(texts.explore.openCart) }).click()
  const buy = button(page, /^Buy 1 scene for [\d,]+ credits · A\$/)
  await buy.waitFor()
  const sum = Number(/for ([\d,]+) credits/.exec((await buy.textContent()) ?? '')?.[1]?.replaceAll(',', ''))
  const before = await stage.readAvailableCredits()
  await buy.click()
  await page
    .getByRole('dialog')
    .getByRole('timer')
    .getByText(/is locked for/)
    .waitFor()
  await placeOrder(page)
  await page.waitForURL(/\/orders\//)
  await waitForDelivery(page)
  assert.equal(await stage.readAvailableCredits(), before - sum)
})

const developer = createWay('a developer makes a key and tries a call with it', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await page.goto(`${url}/build`)
  await button(page, texts.build.newKey).click()
  await page.getByLabel(texts.build.name, { exact: true }).fill(`key ${performance.now()}`)
  await button(page, texts.build.create).click()
  await page.getByText(texts.build.secret).waitFor()
  const key = await page.locator('main code').first().textContent()
  const response = await fetch(`${url}/v1/op/users.me`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key!}`, 'content-type': 'application/json' },
    body: '{}',
  })
  assert.equal(response.status, 200)
  await page.getByRole('link', { name: texts.build.api, exact: true }).click()
  await page.getByLabel(texts.build.search).fill('users.me')
  await button(page, /^users\.me/).click()
  await button(page, texts.build.run).click()
  await page.getByText(texts.build.took(0).replace('0', '').trim()).first().waitFor()
  assert.match((await page.locator('main pre:not([data-sample])').textContent()) ?? '', /"scopes"/)
})

const return_ms = 500
const max_returns = time_limits.step_ms / return_ms

/** A browser without a screen has no focus to give back: the person comes back to the window until it has noticed. */
async function comeBack(page: Page): Promise<void> {
  for (let returns = 0; returns < max_returns && (await page.getByRole('dialog').count()) > 0; returns++) {
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await page.waitForTimeout(return_ms)
  }
  assert.equal(await page.getByRole('dialog').count(), 0, 'the payment went on')
}

const administrator = createWay(
  'an administrator finds out why a sum was charged, and tops up through 3-D Secure',
  async (stage) => {
    const { page, url } = stage
    await stage.signIn()
    await page.goto(`${url}/money/journal`)
    await button(page, texts.money.why).first().click()
    await page.locator('[role=status] p').first().waitFor()
    await page.goto(`${url}/money`)
    await button(page, texts.money.verify).click()
    await page.getByText(/entries are unchanged/).waitFor()
    const before = await stage.readAvailableCredits()
    await button(page, texts.money.topUp).click()
    await button(page, texts.payments.addCard).click()
    await page.getByLabel(texts.payments.playMoneyCard).selectOption('pm_card_3ds')
    await button(page, texts.payments.addThisCard).click()
    await button(page, /^Buy [\d,]+ credits for A\$/).click()
    const [bank] = await Promise.all([
      page.context().waitForEvent('page'),
      button(page, texts.payments.openChallenge).click(),
    ])
    const confirm = bank.getByRole('button', { name: /complete|confirm|authori/i }).first()
    await confirm.click()
    await confirm.waitFor({ state: 'detached' })
    await bank.close()
    await comeBack(page)
    assert.equal(await stage.readAvailableCredits(), before + 5000)
  },
)

const two = createWay('two people see the same order move', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  const other = await stage.openSecondPage()
  await other.goto(`${url}/orders`)
  await page.goto(`${url}/explore`)
  await page.locator('li[data-scene] button[aria-pressed]').nth(1).click()
  await buySelection(page)
  const id = new URL(page.url()).pathname.split('/').at(-1)!
  const row = other.locator(`main a[href*="${id}"]`)
  await row.waitFor({ timeout: time_limits.work_ms })
  await row.getByText(texts.orders.states.FULFILLED).waitFor({ timeout: time_limits.work_ms })
  // Several orders may be delivered while the second window is open.
  const toast = other.getByRole('status').locator(`a[href*="${id}"]`)
  await toast.waitFor({ timeout: time_limits.work_ms })
  assert.equal(await toast.textContent(), texts.frame.toasts['order.fulfilled'])
})

const mistypedAddress = createWay('an address that does not exist leads back to the console', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  const response = await page.goto(`${url}/no-such-page`)
  assert.equal(response?.status(), 404)
  await page.getByRole('heading', { name: texts.frame.notFound }).waitFor()
  await page.getByRole('link', { name: texts.frame.toExplore }).click()
  await page.waitForURL(/\/explore/)
})

export const ways: readonly Way[] = [
  newUser,
  buyer,
  developer,
  administrator,
  ...firstRunWays,
  ...moneyWays,
  ...tableWays,
  ...teamWays,
  ...accountWays,
  ...secondFactorWays,
  ...organizationWays,
  ...webhookWays,
  ...credentialWays,
  ...signOnWays,
  two,
  keeper,
  ...exploreWays,
  ...analyseWays,
  mistypedAddress,
  ...taskingWays,
  ...watchWays,
  ...operationsWays,
  ...keyboardWays,
  ...archiveWays,
  ...viewWays,
]
