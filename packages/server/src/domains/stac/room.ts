import type { Room } from '../../engine/task.ts'
import { createStacItem } from './stac.items.create.ts'
import { deleteStacItem } from './stac.items.delete.ts'
import { replaceStacItem } from './stac.items.replace.ts'
import { changeStacItem } from './stac.items.update.ts'
import { aggregateStac } from './stac.aggregate.ts'
import { getStacCollection } from './stac.collections.get.ts'
import { listStacCollections } from './stac.collections.list.ts'
import { readStacConformance } from './stac.conformance.ts'
import { getItemOfCollection } from './stac.items.get.ts'
import { listItemsOfCollection } from './stac.items.list.ts'
import { readStacLanding } from './stac.landing.ts'
import { searchStacItems } from './stac.items.search.ts'
import { readQueryables } from './stac.queryables.ts'
import { searchStac } from './stac.search.ts'

export const stac: Room = {
  name: 'stac',
  handlers: [
    searchStac,
    searchStacItems,
    aggregateStac,
    readQueryables,
    listStacCollections,
    getStacCollection,
    listItemsOfCollection,
    getItemOfCollection,
    createStacItem,
    replaceStacItem,
    changeStacItem,
    deleteStacItem,
    readStacLanding,
    readStacConformance,
  ],
  tasks: [],
}
