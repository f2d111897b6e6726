import type { Module } from '../../engine/task.ts'
import { createStacItem } from './stac.items.create.ts'
import { deleteStacItem } from './stac.items.delete.ts'
import { replaceStacItem } from './stac.items.replace.ts'
import { changeStacItem } from './stac.items.update.ts'
import { aggregateStac } from './stac.aggregate.ts'
import { getStacCollection } from './stac.collections.get.ts'
import { listStacCollections } from './stac.collections.list.ts'
import { getStacConformance } from './stac.conformance.ts'
import { getStacItemOfCollection } from './stac.items.get.ts'
import { listStacItems } from './stac.items.list.ts'
import { getStacLanding } from './stac.landing.ts'
import { searchStacItems } from './stac.items.search.ts'
import { getQueryables } from './stac.queryables.ts'
import { searchStac } from './stac.search.ts'

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
