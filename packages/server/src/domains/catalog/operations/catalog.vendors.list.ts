import { catalogVendorsListOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { readHostOffers } from '../../glossary/read-host-offers.ts'
import { listVendors } from '../../glossary/vendors.ts'

export const handler = defineHandler(catalogVendorsListOperation, async (call) =>
  toCompleteList(
    'vendors',
    listVendors(await readHostOffers(call), (await readRatesOfCaller(call)).products, () => true),
  ),
)
