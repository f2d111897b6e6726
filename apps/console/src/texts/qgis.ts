export const qgisTexts = {
  title: 'Open in QGIS',
  layers: 'Layers',
  layersHelp: (days: number): string =>
    `A layer definition (.qlr) with the tiles: drag it onto the map of QGIS. It can be read by whoever has it, for ${days} days.`,
  noLayers: 'Nothing of this can be shown as tiles yet.',
  catalogue: 'Catalogue',
  catalogueHelp:
    'A connection (.xml) for Layer › Data Source Manager › STAC: files open as layers. Then edit it, and choose an authentication of the kind API Header with Authorization: Bearer and an API key.',
  features: 'Footprints',
  featuresHelp: 'The same for WFS / OGC API – Features: the items with their properties, as a layer.',
  plugin: 'The plugin Swath of QGIS does all of it, with search, prices and orders.',
} as const
