import assert from 'node:assert/strict'
import { texts } from '../../../apps/console/src/texts.ts'
import { forbidden, intercept, serverError } from '../../console/interception.ts'
import { signIn, waitForConsole } from '../../console/sign-in.ts'
import {
  fillCart,
  long_ms,
  openOrders,
  operationUrl,
  orderRow,
  read,
  type ErrorStage,
  type ErrorWay,
} from './error-way.ts'
import { createWay } from './stage.ts'
import { button, openFirstItem } from './steps.ts'
import { outageWays } from './outage-ways.ts'

const unknownId = '01a00000-0000-7000-8000-000000000000'

const signedOutElsewhere = createWay<ErrorStage>('the person has signed out in another tab (401)', async (stage) => {
  const { page, url, person } = stage
  await stage.signIn()
  await fillCart(stage, 'commercial')
  await openOrders(stage)
  const other = await page.context().newPage()
  await other.goto(`${url}/explore`)
  await waitForConsole(other)
  await other.getByRole('button', { name: texts.account.account, exact: true }).click()
  await other.getByRole('menuitem', { name: texts.account.signOut }).click()
  await other.getByLabel(/^password/i).waitFor()
  await other.close()
  // The first tab notices by itself.
  await page.getByLabel(/^password/i).waitFor({ timeout: long_ms })
  await read(page, /session has ended/i)
  await stage.takePicture()
  await signIn(page, person)
  await page.getByRole('heading', { name: texts.orders.title }).waitFor()
  assert.match(page.url(), /\/orders/)
  await page.getByRole('link', { name: texts.frame.places.cart }).click()
  await button(page, /^(Buy|Order) \d/).waitFor()
})

const tooFewCredits = createWay<ErrorStage>('the wallet has too few credits (402)', async (stage) => {
  const { page } = stage
  await stage.signIn()
  await fillCart(stage, 'commercial')
  await intercept(page, ['orders.archive.place'], {
    status: 402,
    problem: 'insufficient-credits',
    title: 'Insufficient credits',
    members: { required_credits: 120_000 },
  })
  await button(page, /^Buy \d/).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Buy \d/ }).click()
  await read(page, /are missing/)
  await button(page, /^(Buy [\d,]+ credits for|Add a card)/)
    .first()
    .waitFor()
  await stage.takePicture()
  await page.unroute(operationUrl('orders.archive.place'))
  await page.keyboard.press('Escape')
  await button(page, /^Buy \d/).click()
  await dialog.getByRole('button', { name: /^Buy \d/ }).click()
  await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
})

const notAllowed = createWay<ErrorStage>('the role does not permit it (403)', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await intercept(page, ['orders.list'], forbidden)
  await page.goto(`${url}/orders`)
  await read(page, texts.problem.scope('orders:read'))
  assert.equal(await button(page, texts.problem.retry).count(), 0)
  await stage.takePicture()
  await page.getByRole('link', { name: texts.frame.places.library }).click()
  await page.waitForURL(/\/library/)
})

const deletedThing = createWay<ErrorStage>('the address of something that was deleted (404)', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await page.goto(`${url}/orders/${unknownId}`)
  await read(page, texts.problem.missing)
  await stage.takePicture()
  await page.getByRole('link', { name: texts.problem.back }).click()
  await page.waitForURL(/\/orders(\?|$)/)
  await orderRow(page).waitFor()
})

const changedMeanwhile = createWay<ErrorStage>('somebody else was faster (409)', async (stage) => {
  const { page } = stage
  await stage.signIn()
  await openOrders(stage)
  await orderRow(page).click()
  await button(page, texts.orders.edit).click()
  await page.getByLabel(texts.orders.nameField, { exact: true }).fill('A name that is kept')
  await intercept(page, ['orders.update'], {
    status: 409,
    problem: 'conflict',
    title: 'Conflict',
    members: { detail: 'The order was changed by somebody else.' },
  })
  await button(page, texts.orders.save).click()
  await read(page, /Nothing was changed/)
  assert.equal(await page.getByLabel(texts.orders.nameField, { exact: true }).inputValue(), 'A name that is kept')
  await stage.takePicture()
  await page.unroute(operationUrl('orders.update'))
  await button(page, texts.orders.save).click()
  await page.getByRole('heading', { name: 'A name that is kept' }).waitFor()
})

const wait_s = 8

const tooMany = createWay<ErrorStage>('too many calls (429)', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  let isOver = false
  await page.route(operationUrl('orders.list'), (route) => {
    if (isOver) return route.continue()
    return route.fulfill({
      status: 429,
      contentType: 'application/problem+json',
      headers: { 'retry-after': String(wait_s) },
      body: JSON.stringify({ type: `${url}/problems/rate-limited`, title: 'Rate limited', status: 429 }),
    })
  })
  await page.goto(`${url}/orders`)
  await read(page, texts.problem.tooMany)
  await button(page, /Tried again by itself in \d s/).waitFor()
  await stage.takePicture()
  isOver = true
  // Without a click.
  await orderRow(page).waitFor({ timeout: long_ms })
})

const internalError = createWay<ErrorStage>('the server fails (500)', async (stage) => {
  const { page, url } = stage
  await stage.signIn()
  await intercept(page, ['orders.list'], serverError)
  await page.goto(`${url}/orders`)
  await read(page, texts.problem.unreadable)
  await button(page, texts.problem.copyTrace).click()
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), '4bf92f3577b34da6a3ce929d0e0e4736')
  await read(page, texts.ui.copied)
  await stage.takePicture()
  await page.unroute(operationUrl('orders.list'))
  await button(page, texts.problem.retry).click()
  await orderRow(page).waitFor()
})

/** Nothing was entered, and nothing is said of it. */
const unreadableItem = createWay<ErrorStage>('the item of the viewer cannot be read (500)', async (stage) => {
  const { page } = stage
  await stage.signIn()
  await openFirstItem(page)
  await button(page, texts.library.item.open).waitFor()
  const item_id = new URL(page.url()).pathname.split('/').at(-1)!
  await intercept(page, ['items.get_stac'], serverError)
  await page.goto(`${stage.url}/view?items=${item_id}`)
  await read(page, texts.problem.unreadable)
  assert.equal(await page.getByText(texts.problem.unexpected).count(), 0)
  await stage.takePicture()
  await page.unroute(operationUrl('items.get_stac'))
  await button(page, texts.problem.retry).click()
  await page.getByRole('region', { name: texts.viewer.legend }).waitFor()
})

export const errorWays: readonly ErrorWay[] = [
  signedOutElsewhere,
  tooFewCredits,
  notAllowed,
  deletedThing,
  changedMeanwhile,
  tooMany,
  internalError,
  unreadableItem,
  ...outageWays,
]
