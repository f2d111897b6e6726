import { collectionsDeleteOperation } from '@swath/contract/operations/collections.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { deleteCollectionOfProject } from '../../stac/delete-collection.ts'

export const handler = defineHandler(collectionsDeleteOperation, deleteCollectionOfProject)
