import type { Module } from '../../engine/task.ts'
import { listEulaAcceptances } from './operations/eulas.acceptances.list.ts'
import { acceptEulaDocument } from './operations/eulas.document.accept.ts'
import { getEulaDocument } from './operations/eulas.document.get.ts'
import { listEulaDocuments } from './operations/eulas.documents.list.ts'
import { getEula } from './operations/eulas.get.ts'
import { listEulas } from './operations/eulas.list.ts'

export const eulas: Module = {
  name: 'eulas',
  handlers: [listEulas, getEula, listEulaDocuments, getEulaDocument, acceptEulaDocument, listEulaAcceptances],
  tasks: [],
}
