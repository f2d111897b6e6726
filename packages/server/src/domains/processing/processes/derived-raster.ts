import type { PlannedAsset, PlannedItem, SourceItem } from '../process-definition.ts'

/** An item with one file, derived from others. The title of the file defaults to none. */
export const planDerivedRaster = (
  name: string,
  from: readonly SourceItem[],
  asset: Omit<PlannedAsset, 'key' | 'title'> & Partial<Pick<PlannedAsset, 'title'>>,
): PlannedItem => ({
  name,
  type: 'derived_raster',
  from: from.map(({ item }) => item),
  assets: [{ key: 'data', title: null, ...asset }],
})
