import type { Module } from '../../engine/task.ts'
import { getGlossaryCollection } from './operations/glossary.collections.get.ts'
import { listCollectionsOfHosts } from './operations/glossary.collections.list.ts'
import { getDataProduct } from './operations/glossary.data_products.get.ts'
import { listProductsOfHosts } from './operations/glossary.data_products.list.ts'
import { getProvider } from './operations/glossary.providers.get.ts'
import { listProvidersOfHosts } from './operations/glossary.providers.list.ts'

export const glossary: Module = {
  name: 'glossary',
  handlers: [
    listCollectionsOfHosts,
    getGlossaryCollection,
    listProductsOfHosts,
    getDataProduct,
    listProvidersOfHosts,
    getProvider,
  ],
  tasks: [],
}
