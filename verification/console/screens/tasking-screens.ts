import type { Page } from 'playwright-core'
import { texts } from '../../../apps/console/src/texts.ts'
import { taskingArea } from '../sample-data.ts'
import { address, shownAbove, type ScreenRow } from './screen-row.ts'

const { west, south, east, north } = taskingArea
const area = [[west, south], [east, south], [east, north], [west, north]].map((corner) => corner.join(',')).join(';') // prettier-ignore
const addressOf = (product: string): string => address('/tasking', { product: `constellation:${product}`, area })

const choosePass = async (page: Page): Promise<void> => {
  await page.locator('li[data-pass] button[aria-disabled=false]').nth(1).click()
}

const openDialog = async (page: Page): Promise<void> => {
  await choosePass(page)
  await page.getByRole('button', { name: /^Order for/ }).click()
  await page.getByRole('dialog').waitFor()
}

const chooseOption = async (page: Page): Promise<void> => {
  await page.locator('input[type=radio]').first().check()
}

const openClock = async (page: Page): Promise<void> => {
  await page
    .getByRole('button', { name: new RegExp(texts.sandbox.title) })
    .first()
    .click()
}

const openTemplates = async (page: Page): Promise<void> => {
  await page.locator('summary').getByText(texts.tasking.templates.title).click()
}

/** From the product to the last question before the order. */
export const taskingScreens: readonly ScreenRow[] = [
  { name: 'tasking', path: () => '/tasking', reads: ['orders.tasking.sensors'] },
  {
    name: 'tasking-passes',
    path: () => addressOf('tasking-30cm'),
    reads: ['orders.tasking.opportunities_list'],
    act: choosePass,
  },
  { name: 'tasking-study', path: () => addressOf('tasking-50cm'), reads: [], without: shownAbove, act: openTemplates },
  { name: 'tasking-place', path: () => addressOf('tasking-30cm'), reads: [], without: shownAbove, act: openDialog },
  {
    name: 'inbox',
    path: () => '/inbox',
    reads: [
      'orders.tasking.decisions.pending',
      'billing.approvals.list',
      'eulas.list',
      'event_subscriptions.list',
      'billing.lots.list',
      'items.list_expiring',
      'orders.list',
    ],
    act: chooseOption,
  },
  { name: 'sandbox', path: () => '/tasking', reads: [], without: shownAbove, isSandbox: true },
  { name: 'sandbox-controls', path: () => '/orders', reads: [], without: shownAbove, isSandbox: true, act: openClock },
]
