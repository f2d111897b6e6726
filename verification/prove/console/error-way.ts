import type { Page } from 'playwright-core'
import { button } from './steps.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { time_limits, type Stage, type Way } from './stage.ts'

/** A failure on purpose: the message, the data that was not lost, and the button that works when the fault is over. */
export type ErrorWay = Way<ErrorStage>

export interface ErrorStage extends Omit<Stage, 'takePicture'> {
  /** Ends the server with SIGKILL. */
  killServer(): Promise<void>
  /** Starts it again at the same address with the same data. */
  startServer(): Promise<void>
  /** Takes a picture of the page at this moment. */
  takePicture(): Promise<void>
}

export const long_ms = time_limits.step_ms
export const operationUrl = (operation: string): string => `**/v1/op/${operation}`

/** Waits until a person can read the sentence. */
export async function read(page: Page, sentence: string | RegExp): Promise<void> {
  await page.getByText(sentence).filter({ visible: true }).first().waitFor({ timeout: long_ms })
}

export async function openOrders({ page, url }: ErrorStage): Promise<void> {
  await page.goto(`${url}/orders`)
  await page.locator('main h1').first().waitFor()
}

export const orderRow = (page: Page) => page.locator('main ul li a').first()

export async function fillCart({ page, url }: ErrorStage, host: string): Promise<void> {
  await page.goto(`${url}/explore?host=${host}&v=-90,40,2`)
  await page.locator('li[data-scene] button[aria-pressed]').first().click()
  await button(page, texts.explore.addToCart).click()
  await page.getByRole('link', { name: new RegExp(texts.explore.openCart) }).click()
  await button(page, /^(Buy|Order) \d/).waitFor()
}
