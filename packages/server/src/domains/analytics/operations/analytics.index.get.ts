import { analyticsIndexGetOperation } from '@swath/contract/operations/analytics.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { findSpectralIndex } from '../registry.ts'

export const handler = defineHandler(analyticsIndexGetOperation, async (_call, { index_name }) => {
  const index = findSpectralIndex(index_name)
  if (!index) throw new Problem('not-found', `No spectral index has the name "${index_name}".`)
  return { index }
})
