import { sql } from '../../platform/database/sql.ts'
import { findItem } from './store.ts'
export const findAsset = [sql, findItem]
export async function selectAssets(): Promise<void> {}
export const readAsset = (id: string): Promise<string> => Promise.resolve(id)
export const markAsset = (id: string): Promise<string> => Promise.resolve(id)
export const assetCondition = (id: string): string => id
