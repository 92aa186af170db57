/**
 * The products of the demo shop, an invented joinery shop, one in each row. products.ts makes
 * documents of them.
 */

/** Key, name, the parent's key. */
export const DEMO_CATEGORIES: readonly (readonly [string, string, string?])[] = [
  ['tools', 'Tools'],
  ['planes', 'Planes', 'tools'],
  ['saws', 'Saws', 'tools'],
  ['chisels', 'Chisels', 'tools'],
  ['marking', 'Marking and measuring', 'tools'],
  ['clamps', 'Clamps', 'tools'],
  ['timber', 'Timber'],
  ['hardwood', 'Hardwood', 'timber'],
  ['softwood', 'Softwood', 'timber'],
  ['finishes', 'Glue and finishes'],
  ['learning', 'Learning'],
  ['plans', 'Plans', 'learning'],
  ['courses', 'Courses', 'learning'],
  ['gifts', 'Gifts'],
];

/**
 * Name, the category's key, price, grams, the option's name, its values, tags, description. Each
 * further value costs an eighth more.
 */
export type GoodsRow = readonly [string, string, number, number, string, string, string, string];

export const GOODS: readonly GoodsRow[] = [
  ['Block plane', 'planes', 64, 690, 'Iron', 'O1 steel|A2 steel', 'plane,bestseller', 'End grain and chamfers, one-handed.'],
  ['Smoothing plane No. 4', 'planes', 148, 1740, 'Iron', 'O1 steel|A2 steel', 'plane', 'The last plane a board meets.'],
  ['Jack plane No. 5', 'planes', 168, 2200, 'Iron', 'O1 steel|A2 steel', 'plane', 'From rough sawn to nearly flat.'],
  [
    'Jointer plane No. 7',
    'planes',
    229,
    3600,
    'Iron',
    'O1 steel|A2 steel',
    'plane',
    'Long edges that close without light between them.',
  ],
  ['Shoulder plane', 'planes', 119, 980, 'Width', '12 mm|19 mm|25 mm', 'plane,joinery', 'Trims tenon shoulders to the line.'],
  ['Router plane', 'planes', 137, 1150, 'Base', 'Closed|Open', 'plane,joinery', 'Floors of dados and hinges, all one depth.'],
  ['Spokeshave', 'planes', 54, 310, 'Sole', 'Flat|Round', 'plane,green woodwork', 'Chair legs and other curves.'],
  [
    'Dovetail saw',
    'saws',
    86,
    340,
    'Handle',
    'Right hand|Left hand',
    'saw,joinery,bestseller',
    'Fifteen teeth to the inch, filed for ripping.',
  ],
  ['Carcass saw', 'saws', 92, 420, 'Handle', 'Right hand|Left hand', 'saw,joinery', 'Crosscuts shoulders cleanly.'],
  ['Tenon saw', 'saws', 104, 610, 'Teeth', 'Rip|Crosscut', 'saw,joinery,bestseller', 'Deep enough for a door frame.'],
  ['Panel saw', 'saws', 78, 560, 'Teeth', 'Rip|Crosscut', 'saw', 'Breaks down boards beside the bench.'],
  ['Pull saw', 'saws', 42, 260, 'Length', '240 mm|270 mm', 'saw', 'Thin kerf, cuts on the pull.'],
  ['Coping saw', 'saws', 23, 240, 'Colour', 'Natural|Black', 'saw', 'Waste between dovetails.'],
  ['Bench chisel', 'chisels', 28, 210, 'Width', '6 mm|12 mm|18 mm|25 mm', 'chisel,bestseller', 'The everyday edge.'],
  ['Mortise chisel', 'chisels', 39, 380, 'Width', '6 mm|10 mm|12 mm', 'chisel,joinery', 'Levers without complaint.'],
  ['Paring chisel', 'chisels', 36, 230, 'Width', '12 mm|25 mm', 'chisel', 'Long, thin, never struck.'],
  ['Beech mallet', 'chisels', 31, 720, 'Head', 'Small|Large', 'chisel', 'Faces cut to the swing of an arm.'],
  ['Honing guide', 'chisels', 27, 330, 'Jaw', 'Narrow|Wide', 'sharpening', 'Holds the angle that hands forget.'],
  ['Water stone', 'chisels', 48, 850, 'Grit', '1000|4000|8000', 'sharpening', 'Splash and go.'],
  ['Marking gauge', 'marking', 44, 190, 'Stem', 'Metric|Imperial', 'marking', 'A wheel that cuts rather than scratches.'],
  ['Marking knife', 'marking', 19, 60, 'Bevel', 'Right|Left|Both', 'marking', 'A line with no thickness.'],
  ['Try square', 'marking', 38, 280, 'Length', '150 mm|225 mm', 'marking', 'True inside and out.'],
  ['Sliding bevel', 'marking', 35, 240, 'Length', '190 mm|250 mm', 'marking', 'Any angle, held.'],
  ['Dovetail template', 'marking', 22, 70, 'Slope', '1:6|1:8', 'marking,joinery', 'Softwood or hardwood slopes.'],
  ['Winding sticks', 'marking', 46, 390, 'Length', '400 mm|600 mm', 'marking', 'Show the twist in a board.'],
  ['Bar clamp', 'clamps', 34, 1400, 'Reach', '600 mm|900 mm|1200 mm', 'clamp', 'For panels and carcasses.'],
  ['F-clamp', 'clamps', 17, 640, 'Reach', '160 mm|300 mm', 'clamp', 'Never enough of them.'],
  ['Holdfast', 'clamps', 41, 1300, 'Hole', '19 mm|20 mm', 'clamp,bench', 'One knock on, one knock off.'],
  ['European oak board', 'hardwood', 24, 3900, 'Length', '600 mm|900 mm|1200 mm', 'timber', 'Kiln dried, planed on two faces.'],
  ['Ash board', 'hardwood', 21, 3600, 'Length', '600 mm|900 mm|1200 mm', 'timber,green woodwork', 'Straight grain for bending.'],
  ['Black walnut board', 'hardwood', 38, 3400, 'Length', '600 mm|900 mm', 'timber', 'Dark, calm, easy to work.'],
  ['Cherry board', 'hardwood', 29, 3300, 'Length', '600 mm|900 mm', 'timber', 'Pale now, amber next year.'],
  ['Maple board', 'hardwood', 26, 3700, 'Length', '600 mm|900 mm', 'timber', 'For tops that take a beating.'],
  ['Scots pine board', 'softwood', 9, 2600, 'Length', '900 mm|1200 mm|1800 mm', 'timber', 'Knotty and honest.'],
  ['Larch board', 'softwood', 13, 2900, 'Length', '900 mm|1200 mm|1800 mm', 'timber,outdoor', 'Lasts outside without a coat.'],
  ['Cedar board', 'softwood', 17, 1900, 'Length', '900 mm|1200 mm', 'timber,outdoor', 'Light, and keeps moths away.'],
  ['Hide glue', 'finishes', 14, 500, 'Size', '250 g|500 g', 'glue', 'Releases again with warm water.'],
  ['Wood glue', 'finishes', 9, 560, 'Size', '250 ml|500 ml', 'glue', 'Grips in ten minutes.'],
  ['Hard wax oil', 'finishes', 32, 820, 'Sheen', 'Matt|Satin', 'finish,bestseller', 'Two thin coats, an hour apart.'],
  ['Shellac flakes', 'finishes', 18, 260, 'Colour', 'Blonde|Amber|Garnet', 'finish', 'Mixed fresh, dries at once.'],
];

/** Name, the category's key, price, the file's name, its media type, its bytes, description. */
export type DigitalRow = readonly [string, string, number, string, string, number, string];

export const DIGITAL: readonly DigitalRow[] = [
  [
    'Plan: shaker side table',
    'plans',
    12,
    'shaker-side-table.pdf',
    'application/pdf',
    4_718_592,
    'Drawings, cutting list and a full-size leg.',
  ],
  ['Plan: tool chest', 'plans', 18, 'tool-chest.pdf', 'application/pdf', 9_437_184, 'A dovetailed chest with three tills.'],
  ['Plan: workbench', 'plans', 22, 'workbench.pdf', 'application/pdf', 12_582_912, 'A weekend bench from construction timber.'],
  ['Plan: garden bench', 'plans', 15, 'garden-bench.pdf', 'application/pdf', 5_242_880, 'Seats three, stays outside.'],
  ['Plan: wall shelf', 'plans', 8, 'wall-shelf.pdf', 'application/pdf', 2_097_152, 'A first project in housing joints.'],
  ['Course: sharpening', 'courses', 45, 'sharpening.mp4', 'video/mp4', 1_610_612_736, 'Three hours from dull to shaving.'],
  [
    'Course: hand-cut dovetails',
    'courses',
    59,
    'dovetails.mp4',
    'video/mp4',
    2_147_483_648,
    'From the first saw cut to a drawer.',
  ],
  [
    'Course: reading the grain',
    'courses',
    35,
    'grain.mp4',
    'video/mp4',
    1_073_741_824,
    'Why a board tears out, and how it will not.',
  ],
  ['Course: chair making', 'courses', 89, 'chair-making.mp4', 'video/mp4', 4_294_967_296, 'A stick chair in nine evenings.'],
];

/** Name, price, colours. */
export const WRAPS: readonly (readonly [string, number, string])[] = [
  ['Linen wrap', 7, 'Flax|Indigo'],
  ['Wood shavings and twine', 4, 'Pine|Cedar'],
  ['Sliding-lid gift box', 16, 'Small|Large'],
  ['Paper wrap', 3, 'Plain|Leaves'],
];

/** Name, price, the names of its products. */
export const BUNDLES: readonly (readonly [string, number, readonly string[]])[] = [
  ['First dovetail kit', 149, ['Dovetail saw', 'Bench chisel', 'Dovetail template', 'Course: hand-cut dovetails']],
  ['Sharpening kit', 69, ['Honing guide', 'Water stone', 'Course: sharpening']],
  ['Tenon kit', 229, ['Tenon saw', 'Shoulder plane', 'Mortise chisel']],
  ['Marking kit', 119, ['Marking gauge', 'Marking knife', 'Try square', 'Sliding bevel']],
  ['Glue-up kit', 99, ['Bar clamp', 'F-clamp', 'Wood glue']],
  ['Garden bench kit', 139, ['Larch board', 'Plan: garden bench', 'Hard wax oil']],
  ['Side table kit', 159, ['Cherry board', 'Plan: shaker side table', 'Shellac flakes', 'Linen wrap']],
];
