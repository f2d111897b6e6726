import type { Room } from '../../engine/task.ts'
import { aggregateStac } from './stac.aggregate.ts'
import { getStacCollection } from './stac.collections.get.ts'
import { listStacCollections } from './stac.collections.list.ts'
import { readStacConformance } from './stac.conformance.ts'
import { getItemOfCollection } from './stac.items.get.ts'
import { listItemsOfCollection } from './stac.items.list.ts'
import { readStacLanding } from './stac.landing.ts'
import { readQueryables } from './stac.queryables.ts'
import { searchStac } from './stac.search.ts'

export const stac: Room = {
  name: 'stac',
  handlers: [
    searchStac,
    aggregateStac,
    readQueryables,
    listStacCollections,
    getStacCollection,
    listItemsOfCollection,
    getItemOfCollection,
    readStacLanding,
    readStacConformance,
  ],
  tasks: [],
}
