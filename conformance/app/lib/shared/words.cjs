const said = new Set();

exports.say = function say(word) {
  said.add(word);
};

exports.said = function wasSaid(word) {
  return said.has(word);
};
