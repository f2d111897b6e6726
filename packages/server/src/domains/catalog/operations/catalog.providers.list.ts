import { catalogProvidersListOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { readHostOffers } from '../../glossary/read-host-offers.ts'
import { listVendors } from '../../glossary/vendors.ts'
import { renderableStrategyName } from '../imagery/renderable.ts'

export const handler = defineHandler(catalogProvidersListOperation, async (call) =>
  toCompleteList(
    'providers',
    listVendors(
      await readHostOffers(call),
      (await readRatesOfCaller(call)).products,
      ({ collection }) => collection.render_strategy === renderableStrategyName,
    ),
  ),
)
