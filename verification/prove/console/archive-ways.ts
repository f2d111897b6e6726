import assert from 'node:assert/strict'
import type { Client } from '@swath/client/client.ts'
import { texts } from '../../../apps/console/src/texts.ts'
import { archiveAgreement, archiveArea, archiveHost } from '../../console/own-archive.ts'
import { createPersonClient } from '../../console/sample-data.ts'
import { button, chooseFirstScene, placeOrder } from './steps.ts'
import type { Way } from './way.ts'

const { cart, explore, payments } = texts

const exploreArchive = (url: string): string =>
  `${url}/explore?host=${archiveHost}&area=${encodeURIComponent(archiveArea)}`

/** Nobody of the organization has accepted the agreement afterwards: an earlier walk may have. */
async function withdrawAgreement(client: Client): Promise<void> {
  const { content } = await client.call('eulas.list', {})
  const { id, currentDocumentId, isAccepted } = content.find(({ title }) => title === archiveAgreement.title)!
  if (isAccepted)
    await client.call('eulas.document.accept', { eula_id: id, document_id: currentDocumentId!, is_accepted: false })
}

const licensee: Way = {
  name: 'a buyer reads and accepts the licence agreement in the cart, and only then can buy',
  run: async ({ page, url, person, signIn }) => {
    const client = createPersonClient(url, person)
    await withdrawAgreement(client)
    await signIn()
    await page.goto(exploreArchive(url))
    await chooseFirstScene(page)
    await button(page, explore.addToCart).click()
    await page.getByRole('link', { name: new RegExp(explore.openCart) }).click()
    const buy = button(page, /^Buy 1 scene for [\d,]+ credits · A\$/)
    await buy.waitFor()
    await page.getByText(cart.acceptFirst).waitFor()
    assert.ok(await buy.isDisabled(), 'without the agreement nothing can be bought')
    await page.locator('summary').getByText(payments.agreementText).click()
    await page.getByText(archiveAgreement.text).waitFor()
    await page.getByLabel(payments.agreement(archiveAgreement.title, '1')).click()
    await page.getByText(payments.accepted).waitFor()
    await page.getByText(cart.acceptFirst).waitFor({ state: 'detached' })
    await buy.click()
    await placeOrder(page)
    await page.waitForURL(/\/orders\/[0-9a-f-]{36}/)
  },
}

export const archiveWays: readonly Way[] = [licensee]
