import type { Module } from '../../engine/task.ts'
import { createStacItem } from './operations/stac.items.create.ts'
import { deleteStacItem } from './operations/stac.items.delete.ts'
import { replaceStacItem } from './operations/stac.items.replace.ts'
import { changeStacItem } from './operations/stac.items.update.ts'
import { aggregateStac } from './operations/stac.aggregate.ts'
import { getStacCollection } from './operations/stac.collections.get.ts'
import { listStacCollections } from './operations/stac.collections.list.ts'
import { getStacConformance } from './operations/stac.conformance.ts'
import { getStacItemOfCollection } from './operations/stac.items.get.ts'
import { listStacItems } from './operations/stac.items.list.ts'
import { getStacLanding } from './operations/stac.landing.ts'
import { searchStacItems } from './operations/stac.items.search.ts'
import { getQueryables } from './operations/stac.queryables.ts'
import { searchStac } from './operations/stac.search.ts'

export const stac: Module = {
  name: 'stac',
  handlers: [
    searchStac,
    searchStacItems,
    aggregateStac,
    getQueryables,
    listStacCollections,
    getStacCollection,
    listStacItems,
    getStacItemOfCollection,
    createStacItem,
    replaceStacItem,
    changeStacItem,
    deleteStacItem,
    getStacLanding,
    getStacConformance,
  ],
  tasks: [],
}
