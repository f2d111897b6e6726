export {
  cesiumTiles,
  leafletTiles,
  mapLibreLayers,
  mapLibreSource,
  mapLibreTransform,
  openLayersTiles,
} from './map-sources.ts'
export { createTileKey, type TileKey, type TileKeyOptions } from './tile-key.ts'
export {
  readCollectionTiles,
  readItemTiles,
  readJobTiles,
  readShareTiles,
  toTileset,
  type Tileset,
  type TileRendering,
} from './tileset.ts'
