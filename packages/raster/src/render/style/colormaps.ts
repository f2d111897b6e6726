/**
 * Named colormaps as data. Six hexadecimal digits are a colour; `37:482475` puts it at entry 37 of 256, colours without
 * a position are spread evenly. Entries between are interpolated; the tables differ from matplotlib's by at most 1 in a
 * channel. The ramps of ColorBrewer (Cynthia Brewer and Mark Harrower) are given by their own colours.
 */
export const COLORMAPS: Readonly<Record<string, string>> = {
  viridis:
    '0:440154 26:482576 52:404488 99:2a768f 141:1d9c8a 158:25ac81 177:3fbd72 202:73d055 237:cfe11b 245:e4e317 254:fae622 255:fde724',
  magma:
    '0:000003 13:06051a 34:1f124b 50:390f6f 67:55127e 88:762281 119:a7317e 150:d9456b 169:f05d5c 186:f97d5c 208:fea670 239:fddfa0 255:fbfcbf',
  inferno:
    '0:000003 11:050417 23:130a35 37:290c54 44:350860 57:4b0c6c 86:7a1c6e 117:ab2e5e 148:d7493f 177:f3731c 195:fa9305 204:fba409 221:f9c52b 236:f3e258 247:f1f485 255:fcfea4',
  plasma:
    '0:0c0786 8:22058f 36:5301a4 62:7b01a9 73:8b09a3 82:9713a1 114:be3784 163:e97059 202:fca237 228:fccb24 252:f2f326 255:eff821',
  cividis:
    '0:00224d 21:003071 23:003170 30:17366f 51:36456c 95:60646d 103:676971 139:868379 185:b4a770 223:dcc859 246:f6dd3e 252:fde333 255:fde737',
  turbo:
    '0:30123b 10:3b2f80 21:434ebb 33:466de7 44:4589fd 54:39a2fd 67:23c2e5 78:16d9c7 87:1ce7b1 96:31f197 111:68fe65 123:96fe43 134:b3f834 149:d8e434 163:f3c83b 177:fea933 194:fa771e 212:e54509 230:c42402 250:8c0801 255:7a0402',
  RdYlGn: 'a50026 d73027 f46d43 fdae61 fee08b ffffbf d9ef8b a6d96a 66bd63 1a9850 006837',
  RdYlBu: 'a50026 d73027 f46d43 fdae61 fee090 ffffbf e0f3f8 abd9e9 74add1 4575b4 313695',
  RdBu: '67001f b2182b d6604d f4a582 fddbc7 f7f7f7 d1e5f0 92c5de 4393c3 2166ac 053061',
  RdGy: '67001f b2182b d6604d f4a582 fddbc7 ffffff e0e0e0 bababa 878787 4d4d4d 1a1a1a',
  Spectral: '9e0142 d53e4f f46d43 fdae61 fee08b ffffbf e6f598 abdda4 66c2a5 3288bd 5e4fa2',
  BrBG: '543005 8c510a bf812d dfc27d f6e8c3 f5f5f5 c7eae5 80cdc1 35978f 01665e 003c30',
  PiYG: '8e0152 c51b7d de77ae f1b6da fde0ef f7f7f7 e6f5d0 b8e186 7fbc41 4d9221 276419',
  PRGn: '40004b 762a83 9970ab c2a5cf e7d4e8 f7f7f7 d9f0d3 a6dba0 5aae61 1b7837 00441b',
  PuOr: '7f3b08 b35806 e08214 fdb863 fee0b6 f7f7f7 d8daeb b2abd2 8073ac 542788 2d004b',
  YlGn: 'ffffe5 f7fcb9 d9f0a3 addd8e 78c679 41ab5d 238443 006837 004529',
  YlGnBu: 'ffffd9 edf8b1 c7e9b4 7fcdbb 41b6c4 1d91c0 225ea8 253494 081d58',
  YlOrRd: 'ffffcc ffeda0 fed976 feb24c fd8d3c fc4e2a e31a1c bd0026 800026',
  YlOrBr: 'ffffe5 fff7bc fee391 fec44f fe9929 ec7014 cc4c02 993404 662506',
  Blues: 'f7fbff deebf7 c6dbef 9ecae1 6baed6 4292c6 2171b5 08519c 08306b',
  Greens: 'f7fcf5 e5f5e0 c7e9c0 a1d99b 74c476 41ab5d 238b45 006d2c 00441b',
  Reds: 'fff5f0 fee0d2 fcbba1 fc9272 fb6a4a ef3b2c cb181d a50f15 67000d',
  Oranges: 'fff5eb fee6ce fdd0a2 fdae6b fd8d3c f16913 d94801 a63603 7f2704',
  Purples: 'fcfbfd efedf5 dadaeb bcbddc 9e9ac8 807dba 6a51a3 54278f 3f007d',
  Greys: 'ffffff f0f0f0 d9d9d9 bdbdbd 969696 737373 525252 252525 000000',
  BuGn: 'f7fcfd e5f5f9 ccece6 99d8c9 66c2a4 41ae76 238b45 006d2c 00441b',
  BuPu: 'f7fcfd e0ecf4 bfd3e6 9ebcda 8c96c6 8c6bb1 88419d 810f7c 4d004b',
  GnBu: 'f7fcf0 e0f3db ccebc5 a8ddb5 7bccc4 4eb3d3 2b8cbe 0868ac 084081',
  OrRd: 'fff7ec fee8c8 fdd49e fdbb84 fc8d59 ef6548 d7301f b30000 7f0000',
  PuBu: 'fff7fb ece7f2 d0d1e6 a6bddb 74a9cf 3690c0 0570b0 045a8d 023858',
  PuBuGn: 'fff7fb ece2f0 d0d1e6 a6bddb 67a9cf 3690c0 02818a 016c59 014636',
  PuRd: 'f7f4f9 e7e1ef d4b9da c994c7 df65b0 e7298a ce1256 980043 67001f',
  RdPu: 'fff7f3 fde0dd fcc5c0 fa9fb5 f768a1 dd3497 ae017e 7a0177 49006a',
  terrain: '0:333399 38:0098fe 44:00a4dd 64:01cc65 127:fdfe98 129:fcfb97 191:805c54 210:a48b86 255:ffffff',
  gray: '0:000000 255:ffffff',
  jet: '0:00007f 28:0000fe 32:0000ff 87:00dcfe 90:02e8f4 96:15ffe1 163:edff08 166:f7f400 168:feed00 227:fe1200 232:e80000 255:7f0000',
  hot: '0:0a0000 93:fe0000 190:fffe00 195:ffff11 255:ffffff',
  cool: '0:00ffff 255:ff00ff',
  coolwarm:
    '0:3a4cc0 27:5b79e5 54:7fa3fb 81:a4c3ff 106:c5d6f2 128:dddcdc 152:f2ccb8 178:f7ad8f 203:ef8669 234:d24a3d 247:be282e 255:b30326',
  bwr: '0:0000ff 128:fffffe 211:ff5758 255:ff0000',
  seismic: '0:00004c 64:0101ff 127:fdfdff 129:fffaf9 191:ff0000 255:7f0000',
  ocean: '0:007f00 85:000055 171:0181ab 239:cfe6ef 255:ffffff',
  gist_earth:
    '0:000000 1:00002b 5:030059 7:04006e 9:050475 42:1b4e79 72:2f807f 118:469a47 127:5b9f49 143:7da753 179:b7b65e 201:c0a366 214:cfab87 229:dfbcac 248:f5e5e5 255:fdfafa',
  copper: '0:000000 207:ffa166 255:ffc77e',
  bone: '0:000000 99:565777 195:abcbca 213:c6dada 255:ffffff',
  winter: '0:0000ff 255:00ff7f',
  summer: '0:007f66 255:ffff66',
  autumn: '0:ff0000 255:ffff00',
  spring: '0:ff00ff 255:ffff00',
  hsv: '0:ff0000 41:fef100 45:f4ff00 85:07ff00 90:00ff14 129:00fffb 130:00fcff 170:000fff 174:0700ff 214:f300ff 218:fd00f1 222:ff00da 255:ff0017',
}
